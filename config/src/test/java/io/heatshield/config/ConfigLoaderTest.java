package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.config.value.Address;
import io.heatshield.config.value.FingerprintBits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigLoaderTest {

  @Test
  void load_completeExample_hasNoFault() {
    Settings settings = Loading.valid(Loading.resource("product.yaml")).settings();

    assertThat(settings.server().http()).isEqualTo(new Address("127.0.0.1", 8080));
    assertThat(settings.limits()).isNotNull();
    assertThat(settings.tables()).extracting(TableSettings::name).containsExactly("clients");
    assertThat(settings.stores()).extracting(StoreSettings::name).containsExactly("user-data");
    StoreSettings store = settings.stores().get(0);
    assertThat(store.path()).isEqualTo(Path.of("./data/user-data"));
    assertThat(store.cuckooFilter().fingerprintBits()).isEqualTo(FingerprintBits.AUTO);
    assertThat(store.routing().ring().slot()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void load_theExampleWithoutItsValues_isTheSame() {
    String bare =
        """
        limits: {}
        tables:
          - name: clients
            cardinality: {}
            rules:
              - { name: flood, when: { rate_above: 500 } }
              - { name: scanner, when: { cardinality_above: 300 } }
        stores:
          - { name: user-data, engine: rocksdb, path: ./data/user-data }
        """;

    assertThat(Loading.valid(bare).settings())
        .isEqualTo(Loading.valid(Loading.resource("product.yaml")).settings());
  }

  @Test
  void load_withoutAFile_isOneMemoryStoreOnLoopback() {
    LoadResult result = new ConfigLoader(Map.of()).load((Path) null);

    Settings settings = Loading.valid(result).settings();
    assertThat(settings.limits()).isNull();
    assertThat(settings.tables()).isEmpty();
    assertThat(settings.stores()).extracting(StoreSettings::name).containsExactly("main");
    assertThat(settings.stores().get(0).engine()).isEqualTo(StoreSettings.Engine.MEMORY);
    assertThat(settings.server().http().isLoopback()).isTrue();
  }

  @Test
  void load_sevenMistakes_reportsSevenFaults() {
    List<String> faults = Loading.faults(Loading.resource("seven-mistakes.yaml"));

    assertThat(faults)
        .containsExactly(
            "heatshield.yaml:2: server.http: the port must be a whole number from 0 to 65535",
            "heatshield.yaml:3: server.grpc: other machines can reach 0.0.0.0:8081, and nothing"
                + " protects it; set server.tls, or add the line `allow_plaintext: true` under"
                + " server",
            "heatshield.yaml:5: detect.treshold: unknown key; did you mean threshold?",
            "heatshield.yaml:6: detect.window: a duration carries a unit, for example 60s; write"
                + " 60s",
            "heatshield.yaml:7: detect.panes: must be a whole number without leading zeros, but is"
                + " \"010\"; write 10 in decimal",
            "heatshield.yaml:10: stores[main].engine: the engine rocksdb needs a path; add a line"
                + " such as path: ./data/main",
            "heatshield.yaml:11: stores[main].hot_reads.mode: must be off, observe or enforce, but"
                + " is \"enforced\"; did you mean enforce?");
  }
}
