package io.heatshield.server.config;

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
        "detect: { width: 1073741824, depth: 4 } | detect.width: width x depth is 4294967296 counters, past the 2147483647 that a sketch can hold, and would need 64.0 GiB",
        "detect: { width: 100000000, depth: 4 } | detect.width: width x depth x panes would need 6.0 GiB, past the budget of 1GiB for one scope; lower width, depth or panes",
        "limits: { backend: redis } | limits.backend: the backend redis needs redis.url; add url: redis://host:6379 under redis",
        "stores: [{ name: a, engine: redis }] | stores[a].engine: the engine redis needs redis.url; add url: redis://host:6379 under redis",
        "stores: [{ name: a, engine: rocksdb }] | stores[a].engine: the engine rocksdb needs a path; add a line such as path: ./data/a",
        "stores: [{ name: a, path: x }] | stores[a].path: only the engine rocksdb has a path",
        "stores: [{ name: a, engine: rocksdb, path: x }, { name: b, engine: rocksdb, path: ./x/ }] | stores[b].path: is the folder of stores[a] too; give each store its own",
        "tables: [{ name: a, rules: [{ name: r }] }] | tables[a].rules[r].when: a rule needs a condition; give rate_above or cardinality_above",
        "tables: [{ name: a, rules: [{ name: r, when: { cardinality_above: 1 } }] }] | tables[a].rules[r].when.cardinality_above: the table counts no distinct targets; add a cardinality section to the table, for example cardinality: { of: path }",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1 }, action: [] }] }] | tables[a].rules[r].action: a rule needs an action; give log, block or both",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1 }, action: [blok] }] }] | tables[a].rules[r].action[0]: must be log or block, but is \"blok\"; did you mean block?",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: -1 } }] }] | tables[a].rules[r].when.rate_above: must be at least 0, but is \"-1\"",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 1 } }, { name: r, when: { rate_above: 1 } }] }] | tables[a].rules[r]: this name is taken by another item of the list",
        "server: { grpc: '127.0.0.1:8080' } | server.grpc: is the same address as server.http; give it another port",
        "server: { http: '0.0.0.0:8080' } | server.http: other machines can reach 0.0.0.0:8080, and nothing protects it; set server.tls or server.admin_token_file, or add the line `allow_plaintext: true` under server",
        "server: { resp: 'db.example:8080' } | server.resp: other machines can reach db.example:8080, and nothing protects it; set server.tls, or add the line `allow_plaintext: true` under server",
      })
  void check_oneBrokenRule_isOneSentence(String yaml, String sentence) {
    assertThat(Loading.faults(yaml)).containsExactly("heatshield.yaml:1: " + sentence);
  }

  @Test
  void check_doorsThatAreProtected_areFine() {
    String token = "server: { http: '0.0.0.0:8080', admin_token_file: t }";
    String tls = "server: { grpc: '[::]:1', resp: 'h:2', tls: { cert: c, key: k } }";
    String mapped = "server: { http: '[::ffff:127.0.0.1]:1', grpc: 'LOCALHOST:2' }";

    assertThat(Loading.faults(token)).isEmpty();
    assertThat(Loading.faults(tls)).isEmpty();
    assertThat(Loading.faults(mapped)).isEmpty();
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
  void check_defaultThatStandsForABrokenSetting_breaksNoRule() {
    String yaml = "server: { http: '127.0.0.1:8081', grpc: 'nowhere' }";

    assertThat(Loading.faults(yaml)).singleElement().asString().contains("must be host:port");
  }
}
