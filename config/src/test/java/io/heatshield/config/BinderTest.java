package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.settings.Settings;
import io.heatshield.config.yaml.Faults;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BinderTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "detect: { threshold: -1 }        | detect.threshold: must be at least 1, but is \"-1\"",
        "detect: { threshold: 1e400 }     | detect.threshold: must be a whole number, but is"
            + " \"1e400\"",
        "detect: { threshold: 010 }       | detect.threshold: must be a whole number without"
            + " leading zeros, but is \"010\"; write 10 in decimal",
        "detect: { threshold: yes }       | detect.threshold: must be a whole number, but is"
            + " \"yes\"",
        "detect: { threshold: 1_000 }     | detect.threshold: must be a whole number without"
            + " separators, but is \"1_000\"; write 1000",
        "detect: { threshold: 0x10 }      | detect.threshold: must be a whole number, but is"
            + " \"0x10\"",
        "detect: { threshold: 99999999999999999999 } | detect.threshold: must be between"
            + " -9223372036854775808 and 9223372036854775807, but is \"99999999999999999999\"",
        "detect: { width: 3000000000 }    | detect.width: must be between -2147483648 and"
            + " 2147483647, but is \"3000000000\"",
        "detect: { exit: 1e400 }          | detect.exit: is larger than any number that can be"
            + " held",
        "detect: { exit: .5 }             | detect.exit: must be a number, but is \".5\"; write"
            + " 0.5",
        "detect: { exit: .nan }           | detect.exit: must be a number, but is \".nan\"",
        "detect: { exit: 0 }              | detect.exit: must be above 0, but is \"0\"",
        "detect: { exit: 1.1 }            | detect.exit: must be at most 1, but is \"1.1\"",
        "detect: { early: yes }           | detect.early: must be true or false, but is \"yes\";"
            + " write true",
        "detect: { early: off }           | detect.early: must be true or false, but is \"off\";"
            + " write false",
        "detect: { window: 60 }           | detect.window: a duration carries a unit, for example"
            + " 60s; write 60s",
        "detect: { window: 60S }          | detect.window: must be a duration, for example 300us,"
            + " 60s or 1h30m, but is \"60S\"; write 60s",
        "detect: { window: -60s }         | detect.window: a duration must not be negative",
        "detect: { window: 999ms }        | detect.window: must be at least 1s, but is \"999ms\"",
        "detect: { window: 300000d }      | detect.window: a duration must be shorter than 292"
            + " years",
        "detect: { window: null }         | detect.window: needs a value: a duration",
        "detect: { window: [60s] }        | detect.window: must be a duration, but is a list",
        "detect: { panes: {} }            | detect.panes: must be a whole number, but is a section",
        "detect: 5                        | detect: must be a section, but is a single value",
        "detect: { panes: 0 }             | detect.panes: must be at least 1, but is \"0\"",
        "detect: { width: 63 }            | detect.width: must be at least 64, but is \"63\"",
        "detect: { depth: 1 }             | detect.depth: must be at least 2, but is \"1\"",
        "detect: { top_k: 0 }             | detect.top_k: must be at least 1, but is \"0\"",
        "detekt: {}                       | detekt: unknown key; did you mean detect?",
        "detect: { topK: 5 }              | detect.topK: unknown key; did you mean top_k?",
        "detect: { something: 5 }         | detect.something: unknown key",
        "server: { hosts: [a.example:80] } | server.hosts[0]: must be a host name without scheme"
            + " and port, for example heatshield.example.com, but is \"a.example:80\"",
        "server: { hosts: ['*'] }         | server.hosts[0]: must be a host name without scheme and"
            + " port, for example heatshield.example.com, but is \"*\"",
        "tables: {}                       | tables: must be a list, but is a section",
        "tables: [5]                      | tables[0]: must be a section of keys and values",
        "tables: [{}]                     | tables[0].name: is missing and has no default",
        "tables: [{ name: a b }]          | tables[0].name: must be a name of at most 64 letters,"
            + " digits, dots, dashes and underscores, but is \"a b\"",
        "tables: [{ name: a, slots: 0 }]  | tables[a].slots: must be at least 1, but is \"0\"",
        "tables: [{ name: a, window: 0s }] | tables[a].window: must be at least 1s, but is \"0s\"",
        "tables: [{ name: a }, { name: a }] | tables[a]: this name is taken by another item of the"
            + " list",
        "tables: [{ name: a, trusted: [10.0.0.1/8] }] | tables[a].trusted[0]: the address has bits"
            + " past its prefix; write 10.0.0.0/8",
        "tables: [{ name: a, trusted: [10.0.0.256] }] | tables[a].trusted[0]: must be an address or"
            + " a network, for example 10.0.0.0/8 or ::1, but is \"10.0.0.256\"",
        "tables: [{ name: a, trusted: ['::/129'] }] | tables[a].trusted[0]: the prefix after the"
            + " slash must be a whole number from 0 to 128",
        "tables: [{ name: a, trusted: [{}] }] | tables[a].trusted[0]: must be a single value",
        "tables: [{ name: a, cardinality: { leak: -1/s } }] | tables[a].cardinality.leak: a rate"
            + " must not be negative",
        "tables: [{ name: a, cardinality: { leak: 5 } }] | tables[a].cardinality.leak: must be a"
            + " rate, for example 1/s, 30/m or 100/h, but is \"5\"",
        "stores: [{ name: a, max_memory: 1gb }] | stores[a].max_memory: must be a size in B, KiB,"
            + " MiB, GiB, TiB, KB, MB, GB or TB, but is \"1gb\"; write 1GiB",
        "stores: [{ name: a, max_memory: -1 }] | stores[a].max_memory: a size must not be negative",
        "stores: [{ name: a, cuckoo_filter: { false_positive_rate: 1 } }] |"
            + " stores[a].cuckoo_filter.false_positive_rate: must be below 1, but is \"1\"",
        "stores: [{ name: a, cuckoo_filter: { memory_budget_percent: 11 } }] |"
            + " stores[a].cuckoo_filter.memory_budget_percent: must be at most 10, but is \"11\"",
        "stores: [{ name: a, cuckoo_filter: { fingerprint_bits: 3 } }] |"
            + " stores[a].cuckoo_filter.fingerprint_bits: must be auto or a whole number from 4 to"
            + " 32, but is \"3\"",
        "stores: [{ name: a, cuckoo_filter: { bucket_size: 9 } }] |"
            + " stores[a].cuckoo_filter.bucket_size: must be at most 8, but is \"9\"",
        "stores: [{ name: a, cuckoo_filter: { fingerprint_bits: 8, fingerprint_size: 8 } }] |"
            + " stores[a].cuckoo_filter.fingerprint_bits: is given twice: fingerprint_size is"
            + " another name of fingerprint_bits; keep one of them",
        "stores: [{ name: a, hot_ring: { bits: 21 } }] | stores[a].hot_ring.bits: must be at most"
            + " 20, but is \"21\"",
        "stores: [{ name: a, hot_ring: { sample_bits: 32 } }] | stores[a].hot_ring.sample_bits:"
            + " must be at most 31, but is \"32\"",
        "server: { http: 127.0.0.1 }      | server.http: must be host:port, for example"
            + " 127.0.0.1:8080, but is \"127.0.0.1\"",
        "server: { http: ':8080' }        | server.http: the host is missing; write 127.0.0.1 for"
            + " this machine alone, 0.0.0.0 for all",
        "server: { http: '::1' }          | server.http: must be host:port, for example"
            + " 127.0.0.1:8080, but is \"::1\"; put an IPv6 address in brackets, as in"
            + " [::1]:8080",
        "server: { http: '[::g]:1' }      | server.http: the brackets must hold an IPv6 address, as"
            + " in [::1]:8080",
        "server: { http: 127.0.0.256:80 } | server.http: the host must be a name, an IPv4 address"
            + " or an IPv6 address in brackets",
        "server: { tls: { cert: a.pem } } | server.tls.key: is missing and has no default",
        "server: { state_dir: '' }        | server.state_dir: must be a path, not empty, but is"
            + " \"\"",
        "log: { level: warning }          | log.level: must be trace, debug, info, warn or error,"
            + " but is \"warning\"; did you mean warn?",
        "log: { level: Info }             | log.level: must be trace, debug, info, warn or error,"
            + " but is \"Info\"; did you mean info?",
      })
  void bind_oneMistake_isOneSentence(String yaml, String sentence) {
    assertThat(Loading.faults(yaml)).containsExactly("heatshield.yaml:1: " + sentence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "detect: { threshold: \"100\" }",
        "server: { http: '[::1]:0', grpc: localhost:1 }",
        "server:\ndetect:\nstores:\ntables:\nlimits:\n",
        "stores: []",
        "stores: [{ name: a, max_memory: 1.5GiB }, { name: b, max_memory: 2000000 }]",
        "stores: [{ name: a, cuckoo_filter: { fingerprint_size: 12, max_eviction_attempts: 9 } }]",
        "stores: [{ name: a, routing: { ring: { bits: 0 } } }]",
        "tables: [{ name: a, trusted: [10.0.0.1, 'fd00::/8', 0.0.0.0/0] }]",
        "tables: [{ name: a, rules: [{ name: r, when: { rate_above: 0 }, action: [log] }] }]",
        "server: { http: '0.0.0.0:80', grpc: a.example:1, resp: '[::]:2', allow_plaintext: true }",
      })
  void bind_allowedValues_haveNoFault(String yaml) {
    assertThat(Loading.faults(yaml)).isEmpty();
  }

  @Test
  void bind_untrustedText_isEscapedInMessages() {
    String yaml = "\"de\\e[31mtect\": 1\ndetect: { window: \"\\e[2J\\r\\nfine\" }\n";

    assertThat(Loading.faults(yaml))
        .hasSize(2)
        .allMatch(fault -> fault.chars().noneMatch(Character::isISOControl))
        .first()
        .asString()
        .contains("\\x1b[31m");
  }

  @Test
  void bind_tooManyFaults_areCounted() {
    var text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append("unknown").append(i).append(": 1\n");
    }

    assertThat(Loading.faults(text.toString()))
        .hasSize(Faults.MOST + 1)
        .last()
        .asString()
        .contains("300 more faults are not listed");
  }

  @Test
  void bind_variables_areExpandedOnce() {
    Map<String, String> environment =
        Map.of("WINDOW", "30s", "PREFIX", "${WINDOW}", "EMPTY", "", "FILE", "token");
    String yaml =
        """
        detect: { window: "${WINDOW}", panes: "${PANES:-6}" }
        server: { admin_token_file: "/run/${FILE}", state_dir: "$${HOME}" }
        limits: { cache_key_prefix: "${PREFIX}-${EMPTY}" }
        redis:
          url: ${REDIS:-}
        """;

    Settings settings = Loading.valid(yaml, environment).settings();

    assertThat(settings.detect().window()).hasSeconds(30);
    assertThat(settings.detect().panes()).isEqualTo(6);
    assertThat(settings.server().adminTokenFile()).hasToString("/run/token");
    assertThat(settings.server().stateDir()).hasToString("${HOME}");
    assertThat(settings.limits()).isNotNull();
    assertThat(settings.limits().cacheKeyPrefix()).isEqualTo("${WINDOW}-");
    assertThat(settings.redis().url()).isNull();
  }

  @Test
  void bind_invalidVariables_areFaultsWithoutTheirValues() {
    String yaml =
        """
        detect:
          window: ${UNSET}
          panes: ${SECRET}
          exit: ${not a name}
          depth: "${SECRET"
        """;

    assertThat(Loading.faults(yaml, Map.of("SECRET", "hunter2")))
        .containsExactly(
            "heatshield.yaml:2: detect.window: the variable UNSET is not set; set it, or give a"
                + " default as in ${UNSET:-default}",
            "heatshield.yaml:3: detect.panes: must be a whole number, but is \"${SECRET}\"",
            "heatshield.yaml:4: detect.exit: ${not a name} does not name a variable; write ${NAME}"
                + " or ${NAME:-default}",
            "heatshield.yaml:5: detect.depth: ${ is not closed; write $${ for the characters"
                + " themselves");
  }
}
