package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.Verdict.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Overloads a sketch of 1024 x 4 by 120,000 touches per second, uniform over 50,000 keys, at the
 * default threshold and with a window of 5 s.
 */
class OverloadTest {
  private static final int KEYS = 50_000;
  private static final int RATE = 120_000;
  private static final int SECONDS = 8;

  private final DetectorFixture world =
      new DetectorFixture(
          HotKeyDetector.builder().window(Duration.ofSeconds(5)).threshold(100).stripes(1));

  @Test
  void touch_uniformKeys_isNeverHotAndASufficientWidthIsReported() {
    Map<Kind, Integer> kinds = flood(1, false);

    assertThat(kinds.getOrDefault(Kind.HOT, 0)).isZero();
    assertThat(world.events).isEmpty();
    DetectorStats stats = world.detector.stats();
    assertThat(stats.overloaded()).isTrue();
    assertThat(stats.errorBound()).isGreaterThanOrEqualTo(500);
    assertThat(stats.sufficientWidth()).isEqualTo(4096);
  }

  @Test
  void touch_uniformKeysAtFourTimesTheRate_isUncertainAtMost() {
    Map<Kind, Integer> kinds = flood(4, false);

    assertThat(kinds.getOrDefault(Kind.HOT, 0)).isZero();
    assertThat(kinds.getOrDefault(Kind.UNCERTAIN, 0)).isPositive();
    assertThat(world.events).isEmpty();
    assertThat(world.detector.hot()).isNotEmpty();
  }

  @Test
  void touch_hotKeyAmongUniformKeys_isHotByItsExactCount() {
    flood(4, true);

    Verdict verdict = world.detector.touch("hot key");

    assertThat(verdict.kind()).isEqualTo(Kind.HOT);
    assertThat(verdict.guaranteed()).isGreaterThanOrEqualTo(500);
    assertThat(world.events).containsExactly("hot hot key");
    assertThat(world.detector.hot().get(0).key()).hasToString("hot key");
  }

  @Test
  void touch_coolKeyWithTheFlagOfAHotKey_isCool() {
    var narrow = new DetectorFixture(DetectorFixture.settings().width(64).stripes(2));
    for (int i = 0; i < 64; i++) {
      narrow.detector.touch("heavy" + i, 3000);
    }
    narrow.detector.maintain();
    assertThat(narrow.detector.stats().overloaded()).isTrue();
    int wrong = 0;

    for (int i = 0; i < 20_000; i++) {
      Verdict verdict = narrow.detector.touch("cool" + i);
      long estimate = narrow.detector.estimate("cool" + i).touches();
      wrong += verdict != Verdict.COOL && estimate < 100 ? 1 : 0;
    }

    assertThat(wrong).isZero();
  }

  @Test
  void maintain_afterTheFlood_isNotOverloaded() {
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
          world.detector.touch("hot key");
        }
      }
      Verdict verdict = world.detector.touch("key:" + random.nextInt(KEYS), weight);
      kinds.merge(verdict.kind(), 1, Integer::sum);
    }
    return kinds;
  }
}
