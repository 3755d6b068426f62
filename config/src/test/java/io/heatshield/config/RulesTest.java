package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "detect: { width: 1073741824, depth: 4 } | detect.width: width x depth is 4294967296 counters, more than the 2147483647 that a sketch can hold, and would need 64.0 GiB",
        "detect: { width: 100000000, depth: 4 } | detect.width: width x depth x panes would need 6.0 GiB, over the budget of 1GiB for one scope; lower width, depth or panes",
        "detect: { width: 33554432, depth: 2, panes: 1 } | detect.width: must be at most 16777216; add depth instead",
        "detect: { threshold: 1000000000 } | detect.threshold: threshold x window is 6.00e+10 touches, more than the 2147483647 that a counter can hold; lower threshold or window",
        "detect: { threshold: 596524, window: 1h } | detect.threshold: threshold x window is 2.15e+09 touches, more than the 2147483647 that a counter can hold; lower threshold or window",
        "stores: [{ name: a, hot_ring: { rotation: 1999ms } }] | stores[a].hot_ring.rotation: must be at least the window, 2s; write 0s for never",
        "stores: [{ name: a, hot_ring: { rotation: 999us } }] | stores[a].hot_ring.rotation: must be 0s or at least 1ms; write 0s for never",
        "stores: [{ name: a, hot_ring: { slot: 1ns } }] | stores[a].hot_ring.slot: must be 0s or at least 1ms; write 0s for no window",
        "stores: [{ name: a, hot_ring: { decay_interval: 1us } }] | stores[a].hot_ring.decay_interval: must be 0s or at least 1ms",
        "stores: [{ name: a, routing: { ring: { window_slots: 64, slot: 10s } } }] | stores[a].routing.ring.rotation: must be at least the window, 640s; write 0s for never",
        "limits: { backend: redis } | limits.backend: the backend redis needs redis.url; add url: redis://host:6379 under redis",
        "fleet: { name: prod } | fleet: a fleet needs redis.url; add url: redis://host:6379 under redis",
        "stores: [{ name: a, engine: redis }] | stores[a].engine: the engine redis needs redis.url; add url: redis://host:6379 under redis",
        "stores: [{ name: a, engine: rocksdb }] | stores[a].engine: the engine rocksdb needs a path; add a line such as path: ./data/a",
        "stores: [{ name: a, path: x }] | stores[a].path: only the engine rocksdb has a path",
        "stores: [{ name: a, engine: rocksdb, path: x }, { name: b, engine: rocksdb, path: ./x/ }] | stores[b].path: is the folder of stores[a] too; give each store its own",
        "tables: [{ name: a, rules: [{ name: r }] }] | tables[a].rules[r].when: a rule needs a condition; give rate_above or cardinality_above",
        "tables: [{ name: a, rules: [{ name: r, when: { cardinality_above: 1 } }] }] | tables[a].rules[r].when.cardinality_above: the table counts no distinct targets; add a cardinality section to the table, for example cardinality: { of: path }",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1 }, action: [] }] }] | tables[a].rules[r].action: a rule needs an action; give log, block or both",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1 }, action: [blok] }] }] | tables[a].rules[r].action[0]: must be log or block, but is \"blok\"; did you mean block?",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: -1 } }] }] | tables[a].rules[r].when.rate_above: must be a whole rate from 0 to 2147483647, for example 500 for each second, or 30/m, but is \"-1\"",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1 } }, { name: r, when: { rate_above: 1 } }] }] | tables[a].rules[r]: this name is taken by another item of the list",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 2147483648 } }] }] | tables[a].rules[r].when.rate_above: must be a whole rate from 0 to 2147483647, for example 500 for each second, or 30/m, but is \"2147483648\"",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1.5/m } }] }] | tables[a].rules[r].when.rate_above: must be a whole rate from 0 to 2147483647, for example 500 for each second, or 30/m, but is \"1.5/m\"",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1, burst: 0 } }] }] | tables[a].rules[r].when.burst: must be at least 1, but is \"0\"",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1/h, burst: 2562048 } }] }] | tables[a].rules[r].when.burst: must be at most 2562046 at this rate; give a rate per second",
        "tables: [{ name: a, cardinality: {}, rules: [{ name: r, when: { cardinality_above: 1, burst: 2 } }] }] | tables[a].rules[r].when.burst: a burst needs a rate; give rate_above too",
        "tables: [{ name: a, cardinality: { bits: 64 }, rules: [{ name: r, when: { cardinality_above: 266 } }] }] | tables[a].rules[r].when.cardinality_above: is past what 64 bits can tell, 266; give cardinality.bits more",
        "tables: [{ name: a, cardinality: { bits: 100 } }] | tables[a].cardinality.bits: must be a multiple of 64; write 128",
        "tables: [{ name: a, cardinality: { leak: 1e9/s } }] | tables[a].cardinality.leak: must be from 1/h to 1000000/s; write 0/s to forget nothing",
        "tables: [{ name: a, cardinality: { leak: -1/s } }] | tables[a].cardinality.leak: a rate must not be negative",
        "tables: [{ name: a, slots: 10000000, cardinality: { bits: 65536 } }] | tables[a].slots: slots and bits would need 79.4 GiB with keys of 64 bytes, past the budget of 8GiB for one table; lower slots or cardinality.bits",
        "tables: [{ name: a, slots: 0 }] | tables[a].slots: must be at least 1, but is \"0\"",
        "tables: [{ name: a, probes: 65 }] | tables[a].probes: must be at most 64, but is \"65\"",
        "tables: [{ name: a, window: 0s }] | tables[a].window: must be at least 1s, but is \"0s\"",
        "tables: [{ name: a, log_interval: 0s }] | tables[a].log_interval: must be above 0s, but is \"0s\"",
        "tables: [{ name: a, max_blocks: 0 }] | tables[a].max_blocks: must be at least 1, but is \"0\"",
        "tables: [{ name: a, trusted: [10.0.0.300] }] | tables[a].trusted[0]: must be an address or a network, for example 10.0.0.0/8 or ::1, but is \"10.0.0.300\"",
        "tables: [{ name: a }, { name: a }] | tables[a]: this name is taken by another item of the list",
        "shield: { url: 'redis://127.0.0.1:6379/2' } | shield.url: must not name a database, because each client chooses its own by SELECT; remove /2 from its end",
        "server: { grpc: '127.0.0.1:8080' } | server.grpc: is the same address as server.http; give it another port",
        "server: { http: '0.0.0.0:8080' } | server.http: other machines can reach 0.0.0.0:8080, and nothing protects it; set server.tls or server.admin_token_file, or add the line `allow_plaintext: true` under server",
        "server: { resp: 'db.example:8080' } | server.resp: other machines can reach db.example:8080, and nothing protects it; set server.tls or users, or add the line `allow_plaintext: true` under server",
      })
  void check_oneBrokenRule_isOneFault(String yaml, String sentence) {
    assertThat(Loading.faults(yaml)).containsExactly("heatshield.yaml:1: " + sentence);
  }

  @Test
  void check_portsThatAreProtected_areValid() {
    String token = "server: { http: '0.0.0.0:8080', admin_token_file: t }";
    String tls = "server: { grpc: '[::]:1', resp: 'h:2', tls: { cert: c, key: k } }";
    String mapped = "server: { http: '[::ffff:127.0.0.1]:1', grpc: 'LOCALHOST:2' }";

    assertThat(Loading.faults(token)).isEmpty();
    assertThat(Loading.faults(tls)).isEmpty();
    assertThat(Loading.faults(mapped)).isEmpty();
  }

  @Test
  void check_ringsWithZeros_areValid() {
    String zeros = "window_slots: 0, slot: 0s, rotation: 0s, node_cap: 0";
    String decay = "window_slots: 0, rotation: 1ms, decay_interval: 1ms, decay_shift: 1";

    assertThat(Loading.faults("stores: [{ name: a, hot_ring: { " + zeros + " } }]")).isEmpty();
    assertThat(Loading.faults("stores: [{ name: a, hot_ring: { " + decay + " } }]")).isEmpty();
    assertThat(
            Loading.faults("stores: [{ name: a, routing: { ring: { bits: 0, " + zeros + " } } }]"))
        .isEmpty();
    assertThat(Loading.faults("detect: { threshold: 596523, window: 1h }")).isEmpty();
  }

  @Test
  void check_settingThatIsBrokenItself_isReportedOnce() {
    String yaml =
        """
        redis: { url: "http://r" }
        limits: { backend: redis }
        stores: [{ name: a, engine: rocksdb, path: '' }]
        server: { grpc: "0.0.0.0:1", allow_plaintext: yes }
        """;

    assertThat(Loading.faults(yaml))
        .containsExactly(
            "heatshield.yaml:1: redis.url: must begin with redis://, rediss://, redis-cluster:// or"
                + " redis-sentinel://",
            "heatshield.yaml:3: stores[a].path: must be a path, not empty, but is \"\"",
            "heatshield.yaml:4: server.allow_plaintext: must be true or false, but is \"yes\";"
                + " write true");
  }

  @Test
  void check_defaultOfABrokenSetting_breaksNoRule() {
    String yaml = "server: { http: '127.0.0.1:8081', grpc: 'nowhere' }";

    assertThat(Loading.faults(yaml)).singleElement().asString().contains("must be host:port");
  }

  @Test
  void check_storesInOneRedis_needDifferentPrefixes() {
    String yaml =
        """
        redis: { url: "redis://r" }
        stores:
          - { name: a, engine: redis, prefix: 'a:' }
          - { name: b, engine: redis, prefix: 'a:b:' }
          - { name: c, engine: redis, prefix: 'c:' }
          - { name: d, engine: memory, prefix: 'd:' }
        """;

    assertThat(Loading.faults(yaml))
        .containsExactly(
            "heatshield.yaml:4: stores[b].prefix: shares keys with the store a, which is in the same"
                + " Redis; give each a prefix that no other begins with, such as b:",
            "heatshield.yaml:6: stores[d].prefix: only the engine redis has a prefix");
  }
}
