package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotRingCapTest {
  private static final int CAP = 1_000;
  private static final int THRESHOLD = 100;

  private final FakeTicker ticker = new FakeTicker();
  private final HotRingBuilder builder =
      HotRing.builder().ticker(ticker::nanos).secret(HashSecret.of(new byte[32])).bits(6).cap(CAP);

  @Test
  void touch_ofOneTouchJunk_keepsTheFirstAndDropsTheRest() {
    HotRing ring = builder.build();

    junk(ring, 2 * CAP);

    RingStats stats = ring.stats();
    assertThat(stats.entries()).isEqualTo(CAP);
    assertThat(stats.drops()).isEqualTo(2 * CAP - stats.touches());
    assertThat(stats.drops()).isGreaterThan(CAP * 9 / 10);
    assertThat(ring.count("junk-0")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"window", "plain", "rotating", "sampled"})
  void touch_ofAHotNewcomerAfterTenCapsOfJunk_isInTopWithinOneWindow(String kind) {
    HotRing ring = ringOf(kind);
    junk(ring, 10 * CAP);

    for (int i = 0; i < 2 * THRESHOLD; i++) {
      ring.touch("hot");
      junk(ring, 10 * CAP + 100 * i, 100);
      ticker.advance(Duration.ofMillis(2_000 / (2 * THRESHOLD) - 1));
    }

    assertHottest(ring);
    assertThat(ring.count("hot")).isGreaterThan(THRESHOLD);
    assertThat(ring.stats().entries()).isLessThanOrEqualTo(kind.equals("rotating") ? 2 * CAP : CAP);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void touch_ofAHotNewcomerAmongJunkThatComesTwice_isInTop(int secret) {
    byte[] bytes = new byte[16];
    bytes[0] = (byte) secret;
    HotRing ring = builder.secret(HashSecret.of(bytes)).build();
    junkTwice(ring, 0, 10 * CAP);

    for (int i = 0; i < 2 * THRESHOLD; i++) {
      ring.touch("hot");
      junkTwice(ring, 10 * CAP + 1_000 * i, 1_000);
      ticker.advance(Duration.ofMillis(2_000 / (2 * THRESHOLD) - 1));
    }

    assertHottest(ring);
  }

  @Test
  void touch_ofJunkOnARingOfHotKeys_displacesNone() {
    HotRing ring = builder.build();
    for (int i = 0; i < CAP; i++) {
      for (int n = 0; n < 20; n++) {
        ring.touch("hot-" + i);
      }
    }

    junk(ring, 20 * CAP);

    assertThat(ring.stats().displaced()).isZero();
    assertThat(ring.keysAbove(20).keys()).hasSize(CAP);
  }

  @Test
  void clamp_ofAKeyThatHasNoPlace_admitsAndSaysUntracked() {
    HotRing ring = builder.build();
    for (int i = 0; i < CAP; i++) {
      ring.touch("k" + i);
      ring.touch("k" + i);
    }

    Clamp clamp = ring.clamp("newcomer", 1);

    assertThat(clamp).isEqualTo(new Clamp(0, false, true, 0));
    assertThat(ring.stats().drops()).isEqualTo(1);
  }

  @Test
  void touch_onceTheOthersHaveRunOut_hasAPlaceAgain() {
    HotRing ring = builder.build();
    junk(ring, CAP);
    ticker.advance(Duration.ofSeconds(2));

    int held = 0;
    for (int i = 0; i < CAP; i++) {
      held += ring.touch("new-" + i) > 0 ? 1 : 0;
    }

    assertThat(held).isGreaterThan(CAP * 95 / 100);
    assertThat(ring.stats().expired()).isGreaterThan(CAP * 9 / 10);
  }

  @Test
  void touch_afterATurn_hasTheWholeCapAgain() {
    HotRing ring = ringOf("rotating");
    junk(ring, CAP);

    ticker.advance(Duration.ofMinutes(1));
    junk(ring, CAP, CAP);

    assertThat(ring.stats().entries()).isEqualTo(2 * CAP);
    assertThat(ring.stats().drops()).isZero();
    assertThat(ring.count("junk-0")).isEqualTo(1);
  }

  @Test
  void touch_ofKeysCarriedOverThenNewcomers_neverPassesTwiceTheCap() {
    HotRing ring = ringOf("rotating");

    for (int turn = 0; turn < 5; turn++) {
      junk(ring, turn * CAP, CAP);
      for (int old = 0; old < turn; old++) {
        junk(ring, old * CAP, CAP);
      }
      ticker.advance(Duration.ofMinutes(1));

      assertThat(ring.stats().entries()).isLessThanOrEqualTo(2 * CAP);
    }
  }

  @Test
  void sampleBits_ofFour_admitsAboutOneOfSixteenNewcomers() {
    HotRing ring = builder.sampleBits(4).window(0, Duration.ZERO).build();
    junk(ring, CAP);
    long before = ring.stats().inserts();

    junk(ring, CAP, 16_000);

    assertThat(ring.stats().inserts() - before).isBetween(850L, 1_150L);
    assertThat(ring.stats().entries()).isEqualTo(CAP);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void touch_ofAHotNewcomerInAWideTableWithASmallCap_isInTop(int cap) {
    HotRing ring = builder.bits(20).cap(cap).build();
    junk(ring, 10 * cap);

    for (int i = 0; i < 2 * THRESHOLD; i++) {
      ring.touch("hot");
    }

    assertHottest(ring);
    assertThat(ring.count("hot")).isGreaterThan(THRESHOLD);
  }

  @Test
  void sampleBits_inAWideTableWithASmallCap_admitsAsManyAsElsewhere() {
    HotRing ring = builder.bits(20).cap(16).sampleBits(1).window(0, Duration.ZERO).build();
    junk(ring, 16);
    long before = ring.stats().inserts();

    junk(ring, 16, 4_000);

    assertThat(ring.stats().inserts() - before).isBetween(1_850L, 2_150L);
    assertThat(ring.stats().entries()).isEqualTo(16);
  }

  @Test
  void capBytes_ofLittleInAWideTable_letsAHotNewcomerIn() {
    HotRing ring = builder.bits(20).cap(0).capBytes(1_000).build();
    junk(ring, 100);

    for (int i = 0; i < 2 * THRESHOLD; i++) {
      ring.touch("hot");
    }

    assertHottest(ring);
  }

  @Test
  void capBytes_whateverTheKeys_isNeverPassed() {
    HotRing ring = builder.cap(0).capBytes(64 * 1024).build();

    for (int i = 0; i < 5_000; i++) {
      ring.touch("k".repeat(i % 700) + i);
      ring.touch("k".repeat(i % 700) + i);
    }

    RingStats stats = ring.stats();
    assertThat(stats.bytes()).isBetween(60_000L, 64L * 1024);
    assertThat(stats.inserts()).isGreaterThan(stats.entries());
    assertThat(stats.drops()).isPositive();
  }

  @Test
  void capBytes_whenSmallKeysGiveWayToLargeOnes_holdsForTheCellsToo() {
    long capBytes = 4_000_000;
    HotRing ring = builder.bits(1).cap(0).capBytes(capBytes).build();
    junk(ring, 40_000);
    ticker.advance(Duration.ofSeconds(10));

    for (int i = 0; i < 40_000; i++) {
      ring.touch(i + "x".repeat(500));
    }

    RingStats stats = ring.stats();
    long cells = 20 * stats.buckets();
    long rest = stats.entries() * (ring.entryBytes(505) - 80L);
    assertThat(rest + cells).isLessThanOrEqualTo(capBytes);
    assertThat(stats.entries()).isGreaterThan(5_000);
  }

  @Test
  void remove_ofNearlyAllKeys_leavesTheOthersWhereTheyAreFound() {
    HotRing ring = builder.bits(1).cap(0).build();
    junk(ring, 3 * CAP);

    for (int i = 0; i < 3 * CAP - 5; i++) {
      ring.remove("junk-" + i);
    }

    assertThat(ring.stats().buckets()).isLessThan(100);
    assertThat(ring.stats().entries()).isEqualTo(5);
    for (int i = 3 * CAP - 5; i < 3 * CAP; i++) {
      assertThat(ring.count("junk-" + i)).isEqualTo(1);
    }
  }

  @Test
  void remove_givesThePlaceAndTheBytesBack() {
    HotRing ring = builder.cap(1).capBytes(1_000).build();
    ring.touch("a");
    long held = ring.stats().bytes();

    ring.remove("a");

    assertThat(held).isEqualTo(ring.entryBytes(1));
    assertThat(ring.stats().bytes()).isZero();
    assertThat(ring.touch("b")).isEqualTo(1);
  }

  @Test
  void cap_ofZero_isNone() {
    HotRing ring = builder.cap(0).build();

    junk(ring, 3 * CAP);

    assertThat(ring.stats().entries()).isEqualTo(3 * CAP);
    assertThat(ring.stats().drops()).isZero();
  }

  private HotRing ringOf(String kind) {
    return switch (kind) {
      case "window" -> builder.build();
      case "sampled" -> builder.sampleBits(3).build();
      case "plain" -> builder.window(0, Duration.ZERO).rotation(Duration.ZERO).build();
      default -> builder.window(0, Duration.ZERO).rotation(Duration.ofMinutes(1)).build();
    };
  }

  private static void junk(HotRing ring, int keys) {
    junk(ring, 0, keys);
  }

  private static void junk(HotRing ring, int from, int keys) {
    for (int i = from; i < from + keys; i++) {
      ring.touch("junk-" + i);
    }
  }

  private static void assertHottest(HotRing ring) {
    assertThat(ring.top(1).keys())
        .extracting(KeyCount::toString)
        .first()
        .asString()
        .startsWith("hot@");
  }

  private static void junkTwice(HotRing ring, int from, int count) {
    for (int i = from; i < from + count; i++) {
      ring.touch("junk-" + i);
      ring.touch("junk-" + i);
    }
  }
}
