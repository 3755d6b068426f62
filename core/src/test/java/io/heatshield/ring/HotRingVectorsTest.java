package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers that other rings of this kind are known by, step by step. */
class HotRingVectorsTest {
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void top_ofThreeKeys_isByCountThenKeyAndWithoutWhatWasRemoved() {
    HotRing ring = plain().bits(4).build();
    List<Long> counts =
        List.of(ring.touch("alpha"), ring.touch("beta"), ring.touch("alpha"), ring.touch("gamma"));

    List<String> before = shown(ring.top(2));
    long removed = ring.remove("alpha");

    assertThat(counts).containsExactly(1L, 1L, 2L, 1L);
    assertThat(before).containsExactly("alpha@0=2", "beta@0=1");
    assertThat(removed).isEqualTo(2);
    assertThat(shown(ring.top(2))).containsExactly("beta@0=1", "gamma@0=1");
    assertThat(ring.stats().buckets()).isEqualTo(16);
  }

  @Test
  void clamp_underLimitsNth_limitsTheThirdOfThreeAndTheFirstOfOne() {
    HotRing ring = plain().clampPolicy(ClampPolicy.LIMITS_NTH).build();
    long absent = ring.count("hot");

    var answers = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      answers.add(shown(ring.clamp("hot", 3)));
    }
    answers.add(shown(ring.clamp("once", 1)));
    answers.add(shown(ring.clamp("free", 0)));
    ring.touch("warm");
    ring.touch("warm");
    ring.touch("cool");

    assertThat(absent).isZero();
    assertThat(answers).containsExactly("1 no", "2 no", "3 yes", "3 yes", "1 yes", "1 no");
    assertThat(ring.count("hot")).isEqualTo(3);
    assertThat(shown(ring.keysAbove(2))).containsExactly("hot@0=3", "warm@0=2");
  }

  @Test
  void clamp_underLimitsNthInAWindow_limitsTheSameCalls() {
    HotRing ring =
        HotRing.builder().ticker(ticker::nanos).clampPolicy(ClampPolicy.LIMITS_NTH).build();

    var answers = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      answers.add(shown(ring.clamp("hot", 3)));
    }
    answers.add(shown(ring.clamp("once", 1)));

    assertThat(answers).containsExactly("1 no", "2 no", "3 yes", "3 yes", "1 yes");
  }

  @Test
  void clamp_withTheLargestLimit_admitsAndCounts() {
    HotRing ring = HotRing.builder().ticker(ticker::nanos).build();
    ring.touch("k");

    Clamp clamp = ring.clamp("k", Long.MAX_VALUE);

    assertThat(clamp).isEqualTo(new Clamp(2, false, false, 0));
  }

  @Test
  void count_inFourSlotsOfTenMillis_isGoneSixtyMillisLater() {
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
  void count_thatHalvesEveryTenMillis_isAnEighthAfterThirtyFive() {
    HotRing ring = plain().decay(millis(10), 1).build();
    for (int i = 0; i < 8; i++) {
      ring.touch("k");
    }

    ticker.advance(millis(35));

    assertThat(ring.count("k")).isEqualTo(1);
    assertThat(ring.touch("k")).isEqualTo(2);
  }

  @Test
  void touch_acrossTwoTurns_answersByTheLargerAndListsTheSum() {
    HotRing ring = plain().rotation(Duration.ofMinutes(1)).cap(1).build();
    ring.touch("alpha");
    ring.touch("alpha");

    ticker.advance(Duration.ofMinutes(1));
    long kept = ring.count("alpha");
    long touched = ring.touch("alpha");
    List<String> merged = shown(ring.top(1));
    long refused = ring.touch("newcomer");
    ticker.advance(Duration.ofMinutes(1));

    assertThat(kept).isEqualTo(2);
    assertThat(touched).isEqualTo(2);
    assertThat(merged).containsExactly("alpha@0=3");
    assertThat(refused).as("the cap holds after a turn").isZero();
    assertThat(ring.count("alpha")).isEqualTo(1);
    assertThat(ring.stats().rotations()).isEqualTo(2);
  }

  @Test
  void touch_ofNewcomersToAFullRing_admitsThoseThatTheHashPicksAndNoMoreThanTheCap() {
    HotRing ring = plain().bits(2).cap(1).sampleBits(1).build();
    ring.touch("base");

    int admitted = 0;
    for (int i = 0; i < 1_000; i++) {
      long count = ring.touch("newcomer" + i);
      assertThat(ring.count("newcomer" + i)).isEqualTo(count);
      admitted += (int) count;
    }

    assertThat(admitted).isBetween(400, 600);
    assertThat(ring.stats().drops()).isEqualTo(1_000 - admitted);
    assertThat(ring.stats().entries()).isEqualTo(1);
  }

  private HotRingBuilder plain() {
    return HotRing.builder().ticker(ticker::nanos).window(0, Duration.ZERO).rotation(Duration.ZERO);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static List<String> shown(RingSnapshot snapshot) {
    return snapshot.keys().stream().map(KeyCount::toString).toList();
  }

  private static String shown(Clamp clamp) {
    return clamp.count() + (clamp.limited() ? " yes" : " no");
  }
}
