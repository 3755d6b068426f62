package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.config.bind.Field;
import io.heatshield.config.bind.Leaf;
import io.heatshield.config.bind.Section;
import io.heatshield.config.settings.CuckooFilterSettings;
import io.heatshield.config.settings.RedisSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.yaml.Origin;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

  @Test
  void effective_valuesFromThreePlaces_haveTheirOrigin() {
    Configuration configuration =
        Loading.valid("detect:\n  window: 30s\n", Map.of("LOG_LEVEL", "WARN"));

    assertThat(configuration.effective())
        .filteredOn(
            setting ->
                List.of("detect.window", "detect.panes", "log.level").contains(setting.path()))
        .extracting(setting -> setting.path() + "=" + setting.value() + " " + setting.origin())
        .containsExactly(
            "detect.window=30s heatshield.yaml:2",
            "detect.panes=4 default",
            "log.level=warn environment LOG_LEVEL");
  }

  @Test
  void effective_passwordInAUrl_isMasked() {
    Configuration configuration = Loading.valid("redis: { url: 'redis://u:hunter2@r:6379/1' }");

    assertThat(configuration.effective())
        .filteredOn(setting -> setting.path().equals("redis.url"))
        .extracting(EffectiveSetting::value)
        .containsExactly("redis://u:***@r:6379/1");
    assertThat(configuration.tree().toString()).contains("u:***@r").doesNotContain("hunter2");
    assertThat(configuration.settings().toString()).doesNotContain("hunter2");
  }

  @Test
  void tree_ofDefaults_hasTheShapeOfTheFile() {
    Map<String, ?> tree = Loading.valid("").tree();

    assertThat(tree)
        .containsOnlyKeys(
            "server",
            "redis",
            "detect",
            "fleet",
            "limits",
            "tables",
            "stores",
            "shield",
            "users",
            "webhook",
            "savings",
            "log",
            "telemetry");
    assertThat(tree.get("fleet")).isNull();
    assertThat(tree.get("limits")).isNull();
    assertThat(tree.get("detect")).asString().contains("window=1m", "exit=0.8", "top_k=10");
    assertThat(tree.get("stores")).asString().startsWith("[{name=main, engine=memory");
  }

  @Test
  void changesFrom_severalKindsOfChange_listsEachOnce() {
    Configuration before =
        Loading.valid(
            """
            redis: { url: 'redis://:one@r' }
            detect: { window: 60s }
            stores: [{ name: a }, { name: b }]
            """);
    Configuration after =
        Loading.valid(
            """
            redis: { url: 'redis://:two@r' }
            detect: { window: 1m, panes: 6 }
            limits: {}
            stores: [{ name: b, hot_reads: { mode: off } }, { name: c }]
            """);

    assertThat(after.changesFrom(before))
        .extracting(Change::toString)
        .containsExactlyInAnyOrder(
            "stores[a]: removed (needs a restart)",
            "redis.url: another secret (needs a restart)",
            "detect.panes: 4 -> 6 (needs a restart)",
            "limits: added (needs a restart)",
            "stores[b].hot_reads.mode: enforce -> off",
            "stores[c]: added (needs a restart)");
  }

  @Test
  void changesFrom_sectionThatIsGone_isOneChange() {
    Configuration before = Loading.valid("limits: {}");
    Configuration after = Loading.valid("");

    assertThat(after.changesFrom(before))
        .extracting(Change::toString)
        .containsExactly("limits: removed (needs a restart)");
  }

  @Test
  void with_liveSettings_changesThemAndTheirOrigin() {
    Configuration configuration = Loading.valid("detect: { window: 30s }");

    Configuration patched =
        Loading.valid(
            configuration.with(
                Map.of("detect.window", "10s", "stores[main].hot_reads.mode", "off")));

    assertThat(patched.settings().stores().get(0).hotReads().mode()).isEqualTo(Mode.OFF);
    assertThat(patched.changesFrom(configuration))
        .extracting(Change::toString)
        .containsExactly(
            "detect.window: 30s -> 10s", "stores[main].hot_reads.mode: enforce -> off");
    assertThat(patched.effective())
        .filteredOn(setting -> setting.origin().equals(Origin.LIVE))
        .extracting(EffectiveSetting::path)
        .containsExactly("detect.window", "stores[main].hot_reads.mode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuckoo_filter", "absence"})
  void load_eitherWordForTheFilter_setsItInStoresAndShield(String word) {
    String filter = word + ": { mode: 'off', expected_items: 7 }";

    Settings store = Loading.valid("stores: [{ name: a, " + filter + " }]").settings();
    Settings shield = Loading.valid("shield: { url: 'redis://h', " + filter + " }").settings();

    CuckooFilterSettings ofStore = store.stores().get(0).cuckooFilter();
    CuckooFilterSettings ofShield = Objects.requireNonNull(shield.shield()).cuckooFilter();
    assertThat(ofStore).isEqualTo(ofShield);
    assertThat(ofStore.mode()).isEqualTo(Mode.OFF);
    assertThat(ofStore.expectedItems()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuckoo_filter", "absence"})
  void with_eitherWordForTheFilter_keepsItsOtherSettings(String word) {
    Configuration configuration =
        Loading.valid("shield: { url: 'redis://h', absence: { expected_items: 7 } }");

    Configuration patched =
        Loading.valid(configuration.with(Map.of("shield." + word + ".mode", "enforce")));

    CuckooFilterSettings filter =
        Objects.requireNonNull(patched.settings().shield()).cuckooFilter();
    assertThat(filter.mode()).isEqualTo(Mode.ENFORCE);
    assertThat(filter.expectedItems()).isEqualTo(7);
  }

  @Test
  void load_sectionThatStoresAndShieldShare_hasOnlyTheKeysOfItsPlace() {
    Configuration both = Loading.valid("shield: { url: 'redis://h' }");

    assertThat(Loading.faults("shield: { url: 'redis://h', hot_reads: { cooldown: 1s } }"))
        .singleElement()
        .asString()
        .contains("shield.hot_reads.cooldown: unknown key");
    assertThat(Objects.requireNonNull(both.settings().shield()).hotReads().mode())
        .isEqualTo(Mode.OBSERVE);
    assertThat(both.settings().stores().get(0).hotReads().mode()).isEqualTo(Mode.ENFORCE);
  }

  @Test
  void with_invalidPatches_reportsTheReasonOfEach() {
    Configuration configuration = Loading.valid("");

    LoadResult result =
        configuration.with(
            Map.of(
                "detect.windo", "10s",
                "detect.width", "128",
                "detect.window", "fast",
                "detect.threshold", "[",
                "limits.hot_keys.mode", "off",
                "stores[other].hot_reads.mode", "off",
                "stores", "[]"));

    assertThat(Loading.faults(result))
        .containsExactlyInAnyOrder(
            "detect.windo: unknown key; did you mean window?",
            "detect.width: cannot be changed in a running server; change it in the file and"
                + " restart",
            "detect.window: must be a duration, for example 300us, 60s or 1h30m, but is \"fast\"",
            "detect.threshold: must be one value as the file would hold it",
            "limits.hot_keys.mode: there is no limits section; add it to the file",
            "stores[other].hot_reads.mode: there is no such item in stores",
            "stores: cannot be changed in a running server; change it in the file and restart");
  }

  @Test
  void shown_secretOfAnyType_isMasked() {
    Field secret = Section.of(RedisSettings.class).field("url");
    assertThat(secret).isNotNull();

    String shown = new Leaf("redis.url", secret, "hunter2", Origin.DEFAULT).shown();

    assertThat(shown).isEqualTo("***");
  }
}
