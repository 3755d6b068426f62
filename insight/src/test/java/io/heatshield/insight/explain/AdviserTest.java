package io.heatshield.insight.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The one rule, over every cause, way in, mode, effect and absence of context. */
class AdviserTest {
  private static final List<String> ACTIONS =
      List.of("hot_reads", "flights", "absence", "clamp", "coalesce");
  private static final Map<ScopeKind, String> SETTINGS =
      Map.of(
          ScopeKind.STORE, "stores[shop].",
          ScopeKind.SHIELD, "shield.",
          ScopeKind.LIMITS, "limits.");

  /** One combination; the cause comes from the uses. */
  record Case(@Nullable KeyUses uses, ScopeKind way, Mode mode, boolean acted, String yaml) {
    Recommendation advise() {
      Map<String, Mode> modes = Map.copyOf(ACTIONS.stream().collect(toModes(mode)));
      long did = acted && mode == Mode.ENFORCE ? 7 : 0;
      long would = acted && mode == Mode.OBSERVE ? 9 : 0;
      List<KeyEffect> effects =
          ACTIONS.stream().map(action -> new KeyEffect(action, did, would)).toList();
      return new Adviser(settings(yaml), "shop", way, 100, modes, effects).advise(uses);
    }
  }

  static Stream<Case> everyCase() {
    var cases = new ArrayList<Case>();
    for (String yaml : List.of(memoryStore(), redisStore(), "{}", limits("memory"))) {
      for (ScopeKind way : ScopeKind.values()) {
        for (Mode mode : Mode.values()) {
          for (boolean acted : new boolean[] {true, false}) {
            Stream.concat(Stream.of((KeyUses) null), everyCause())
                .forEach(uses -> cases.add(new Case(uses, way, mode, acted, yaml)));
          }
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("everyCase")
  void advise_anyKey_recommendsOnlyApplicableSettingsAndClaimsOnlyRealEffects(Case one) {
    Recommendation advice = one.advise();

    String setting = advice.setting();
    if (setting != null) {
      assertThat(setting)
          .startsWith(SETTINGS.getOrDefault(one.way(), "nothing"))
          .containsPattern("\\.(mode|writers)$");
      assertThat(advice.line()).isNotNull();
    } else {
      assertThat(advice.line()).isNull();
      assertThat(advice.inEffect()).isFalse();
    }
    assertThat(advice.inEffect())
        .isEqualTo(setting != null && one.mode() == Mode.ENFORCE && one.acted());
    assertThat(advice.inEffect()).isEqualTo(advice.acted() > 0);
    assertThat(advice.says().contains("no detail kept")).isEqualTo(one.uses() == null);
    assertThat(advice.advice()).endsWith(".");
  }

  @Test
  void advise_viralKeyOfAMemoryStore_recommendsNothing() {
    Recommendation advice =
        new Case(viral(), ScopeKind.STORE, Mode.ENFORCE, false, memoryStore()).advise();

    assertThat(advice.setting()).isNull();
    assertThat(advice.advice()).contains("already in the memory of this process");
  }

  @Test
  void advise_limitInRedis_coalesces() {
    Recommendation advice =
        new Case(null, ScopeKind.LIMITS, Mode.OBSERVE, true, limits("redis")).advise();

    assertThat(advice.setting()).isEqualTo("limits.hot_keys.mode");
    assertThat(advice.advice()).contains("would have acted 9 times");
  }

  @Test
  void advise_limitInMemory_costsNoStoreACall() {
    Recommendation advice =
        new Case(null, ScopeKind.LIMITS, Mode.ENFORCE, true, limits("memory")).advise();

    assertThat(advice.setting()).isNull();
  }

  @Test
  void advise_missingKeyWithOtherWriters_explainsThatTheFilterNeedsAllWriters() {
    Recommendation advice =
        new Case(missing(), ScopeKind.SHIELD, Mode.OBSERVE, true, shield("shared")).advise();

    assertThat(advice.setting()).isEqualTo("shield.writers");
    assertThat(advice.line())
        .isEqualTo("shield: { writers: exclusive, cuckoo_filter: { mode: enforce } }");
  }

  @Test
  void advise_hotReadsOfAShield_namesTheShieldAndHowOften() {
    Recommendation advice =
        new Case(viral(), ScopeKind.SHIELD, Mode.ENFORCE, true, shield("exclusive")).advise();

    assertThat(advice.setting()).isEqualTo("shield.hot_reads.mode");
    assertThat(advice.inEffect()).isTrue();
    assertThat(advice.advice()).isEqualTo("14 reads were answered from memory.");
  }

  private static Stream<KeyUses> everyCause() {
    return Stream.of(
        viral(),
        missing(),
        uses(100, 900, 0, null),
        uses(1000, 0, 0, new KeyUses.Caller("a@b", 0.9, 1, 0.9)),
        uses(1000, 0, 1000, new KeyUses.Caller("scan@b", 0.9, 10_000, 0.0001)),
        uses(1000, 0, 0, new KeyUses.Caller("scan@b", 0.9, 10_000, 0.0001)));
  }

  private static KeyUses viral() {
    return uses(1000, 0, 0, null);
  }

  private static KeyUses missing() {
    return uses(1000, 0, 1000, null);
  }

  private static KeyUses uses(
      long reads, long writes, long misses, KeyUses.@Nullable Caller busiest) {
    return new KeyUses(0, 100, reads, writes, misses, 0, 0, Map.of(), Map.of(), 50, busiest);
  }

  private static Collector<String, ?, Map<String, Mode>> toModes(Mode mode) {
    return Collectors.toMap(action -> action, action -> mode);
  }

  private static String memoryStore() {
    return "stores: [{ name: shop }]";
  }

  private static String redisStore() {
    return "{ redis: { url: 'redis://127.0.0.1:1' }, stores: [{ name: shop, engine: redis }] }";
  }

  private static String limits(String backend) {
    return "{ redis: { url: 'redis://127.0.0.1:1' }, limits: { config: limits, backend: "
        + backend
        + " } }";
  }

  private static String shield(String writers) {
    return "shield: { url: 'redis://127.0.0.1:1', writers: " + writers + " }";
  }

  private static Settings settings(String yaml) {
    LoadResult result =
        new ConfigLoader(Map.of()).load("test", yaml.getBytes(StandardCharsets.UTF_8));
    if (result instanceof LoadResult.Valid valid) {
      return valid.configuration().settings();
    }
    throw new IllegalArgumentException(yaml + ": " + result);
  }
}
