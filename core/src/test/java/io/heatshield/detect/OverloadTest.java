package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.Verdict.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A sketch too small for its traffic: 1024 x 4 under 120,000 touches a second of 50,000 keys alike,
 * at the default threshold, scaled to a window of 5 s.
 */
class OverloadTest {
  private static final int KEYS = 50_000;
  private static final int RATE = 120_000;
  private static final int SECONDS = 8;

  private final DetectorFixture world =
      new DetectorFixture(
          DetectorSettings.builder()
              .window(Duration.ofSeconds(5))
              .threshold(100)
              .stripes(1)
              .build());

  @Test
  void touch_ofKeysAlike_isNeverHotAndTheWidthThatWouldDoIsNamed() {
    Map<Kind, Integer> kinds = flood(1, false);

    assertThat(kinds.getOrDefault(Kind.HOT, 0)).isZero();
    assertThat(world.events).isEmpty();
    DetectorStats stats = world.detector.stats();
    assertThat(stats.overloaded()).isTrue();
    assertThat(stats.errorBound()).isGreaterThanOrEqualTo(500);
    assertThat(stats.sufficientWidth()).isEqualTo(4096);
  }

  @Test
  void touch_ofKeysAlikeAtFourTimesTheRate_isUncertainAtMost() {
    Map<Kind, Integer> kinds = flood(4, false);

    assertThat(kinds.getOrDefault(Kind.HOT, 0)).isZero();
    assertThat(kinds.getOrDefault(Kind.UNCERTAIN, 0)).isPositive();
    assertThat(world.events).isEmpty();
    assertThat(world.detector.hot()).isNotEmpty();
  }

  @Test
  void touch_ofATrulyHotKeyAmongThem_isHotOnceItsCountProvesIt() {
    flood(4, true);

    Verdict verdict = world.detector.touch("truly hot");

    assertThat(verdict.kind()).isEqualTo(Kind.HOT);
    assertThat(verdict.guaranteed()).isGreaterThanOrEqualTo(500);
    assertThat(world.events).containsExactly("hot truly hot");
    assertThat(world.detector.hot().get(0).key()).hasToString("truly hot");
  }

  @Test
  void touch_ofACoolKeyThatSharesAFlagWithAHotOne_isCool() {
    var narrow = new DetectorFixture(DetectorFixture.settings().width(64).stripes(2).build());
    for (int i = 0; i < 64; i++) {
      narrow.detector.touch("heavy" + i, 3000);
    }
    narrow.detector.maintain();
    assertThat(narrow.detector.stats().overloaded()).isTrue();
    int wrong = 0;

    for (int i = 0; i < 20_000; i++) {
      Verdict verdict = narrow.detector.touch("cool" + i);
      long estimate = narrow.detector.estimate(narrow.hash.hash("cool" + i)).touches();
      wrong += verdict != Verdict.COOL && estimate < 100 ? 1 : 0;
    }

    assertThat(wrong).isZero();
  }

  @Test
  void maintain_whenTheFloodIsOver_isCertainAgain() {
    flood(4, false);

    world.passSeconds(10);
    world.detector.maintain();

    assertThat(world.detector.stats().overloaded()).isFalse();
    assertThat(world.touch("a", 500).kind()).isEqualTo(Kind.HOT);
  }

  private Map<Kind, Integer> flood(int weight, boolean withHotKey) {
    var kinds = new EnumMap<Kind, Integer>(Kind.class);
    var random = new SplittableRandom(42);
    for (int i = 0; i < RATE * SECONDS; i++) {
      if (i % 120 == 0) {
        world.ticker.advanceNanos(1_000_000);
        if (withHotKey) {
          world.detector.touch("truly hot");
        }
      }
      Verdict verdict = world.detector.touch("key:" + random.nextInt(KEYS), weight);
      kinds.merge(verdict.kind(), 1, Integer::sum);
    }
    return kinds;
  }
}
