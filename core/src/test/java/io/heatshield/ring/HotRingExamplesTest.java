package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Admission;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Worked examples with fixed numbers, including the intermediate results. */
class HotRingExamplesTest {
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void top_threeKeysAndARemoval_isOrderedByCountThenKey() {
    HotRing ring = plain().bits(4).build();
    List<Long> counts =
        List.of(ring.touch("alpha"), ring.touch("beta"), ring.touch("alpha"), ring.touch("gamma"));

    List<String> before = formatted(ring.top(2));
    long removed = ring.remove("alpha");

    assertThat(counts).containsExactly(1L, 1L, 2L, 1L);
    assertThat(before).containsExactly("alpha@0=2", "beta@0=1");
    assertThat(removed).isEqualTo(2);
    assertThat(formatted(ring.top(2))).containsExactly("beta@0=1", "gamma@0=1");
    assertThat(ring.stats().cells()).isEqualTo(16);
  }

  @Test
  void tryTouch_limitsNth_limitsTheNthCall() {
    HotRing ring = plain().clampPolicy(ClampPolicy.LIMITS_NTH).build();
    long absent = ring.count("hot");

    var results = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      results.add(tried(ring, "hot", 3));
    }
    results.add(tried(ring, "once", 1));
    results.add(tried(ring, "none", 0));
    ring.touch("warm");
    ring.touch("warm");
    ring.touch("cool");

    assertThat(absent).isZero();
    assertThat(results)
        .containsExactly(
            "1 admitted", "2 admitted", "3 refused", "3 refused", "1 refused", "0 refused");
    assertThat(ring.count("hot")).isEqualTo(3);
    assertThat(formatted(ring.keysAbove(2))).containsExactly("hot@0=3", "warm@0=2");
  }

  @Test
  void tryTouch_limitsNthInAWindow_limitsTheNthCall() {
    HotRing ring =
        HotRing.builder().ticker(ticker::nanos).clampPolicy(ClampPolicy.LIMITS_NTH).build();

    var results = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      results.add(tried(ring, "hot", 3));
    }
    results.add(tried(ring, "once", 1));

    assertThat(results)
        .containsExactly("1 admitted", "2 admitted", "3 refused", "3 refused", "1 refused");
  }

  @Test
  void tryTouch_largestLimit_admitsAndCounts() {
    HotRing ring = HotRing.builder().ticker(ticker::nanos).build();
    ring.touch("k");

    Admission admission = ring.tryTouch("k", Long.MAX_VALUE);

    assertThat(admission.count()).isEqualTo(2);
    assertThat(admission.remaining()).isEqualTo(Long.MAX_VALUE - 2);
  }

  @Test
  void count_afterTheWindow_isZero() {
    HotRing ring = HotRing.builder().ticker(ticker::nanos).window(4, millis(10)).build();
    for (int i = 0; i < 3; i++) {
      ring.touch("pulse");
    }
    long fresh = ring.count("pulse");

    ticker.advance(millis(60));

    assertThat(fresh).isEqualTo(3);
    assertThat(ring.count("pulse")).isZero();
  }

  @Test
  void count_halvedEveryTenMillis_isAnEighthAfterThirtyFive() {
    HotRing ring = plain().decay(millis(10), 1).build();
    for (int i = 0; i < 8; i++) {
      ring.touch("k");
    }

    ticker.advance(millis(35));

    assertThat(ring.count("k")).isEqualTo(1);
    assertThat(ring.touch("k")).isEqualTo(2);
  }

  @Test
  void touch_acrossTwoRotations_returnsTheLargerCountAndListsTheSum() {
    HotRing ring = plain().rotation(Duration.ofMinutes(1)).maxKeys(1).build();
    ring.touch("alpha");
    ring.touch("alpha");

    ticker.advance(Duration.ofMinutes(1));
    long warm = ring.count("alpha");
    long touched = ring.touch("alpha");
    List<String> merged = formatted(ring.top(1));
    long refused = ring.touch("new");
    ticker.advance(Duration.ofMinutes(1));

    assertThat(warm).isEqualTo(2);
    assertThat(touched).isEqualTo(2);
    assertThat(merged).containsExactly("alpha@0=3");
    assertThat(refused).as("the cap holds after a rotation").isZero();
    assertThat(ring.count("alpha")).isEqualTo(1);
    assertThat(ring.stats().rotations()).isEqualTo(2);
  }

  @Test
  void touch_sampledNewKeysOnAFullRing_admitsAboutHalfWithinTheCap() {
    HotRing ring = plain().bits(2).maxKeys(1).sampleBits(1).build();
    ring.touch("base");

    int admitted = 0;
    for (int i = 0; i < 1_000; i++) {
      long count = ring.touch("new" + i);
      assertThat(ring.count("new" + i)).isEqualTo(count);
      admitted += (int) count;
    }

    assertThat(admitted).isBetween(400, 600);
    assertThat(ring.stats().drops()).isEqualTo(1_000 - admitted);
    assertThat(ring.stats().size()).isEqualTo(1);
  }

  private HotRingBuilder plain() {
    return HotRing.builder().ticker(ticker::nanos).window(0, Duration.ZERO).rotation(Duration.ZERO);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static List<String> formatted(List<KeyCount> keys) {
    return keys.stream().map(KeyCount::toString).toList();
  }

  private static String tried(HotRing ring, String key, long limit) {
    boolean admitted = ring.tryTouch(key, limit).admitted();
    return ring.count(key) + (admitted ? " admitted" : " refused");
  }
}
