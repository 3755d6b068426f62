package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Admission;
import io.heatshield.action.WhenFull;
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
      HotRing.builder()
          .ticker(ticker::nanos)
          .secret(HashSecret.of(new byte[32]))
          .bits(6)
          .maxKeys(CAP);

  @Test
  void touch_moreKeysThanTheCapOnce_keepsTheFirstAndDropsTheOthers() {
    HotRing ring = builder.build();

    touchColdKeys(ring, 2 * CAP);

    RingStats stats = ring.stats();
    assertThat(stats.size()).isEqualTo(CAP);
    assertThat(stats.drops()).isEqualTo(2 * CAP - stats.touches());
    assertThat(stats.drops()).isGreaterThan(CAP * 9 / 10);
    assertThat(ring.count("cold-0")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"window", "plain", "rotating", "sampled"})
  void touch_newHotKeyAmongColdKeys_isInTopWithinOneWindow(String kind) {
    HotRing ring = ringOf(kind);
    touchColdKeys(ring, 10 * CAP);

    for (int i = 0; i < 2 * THRESHOLD; i++) {
      ring.touch("hot");
      touchColdKeys(ring, 10 * CAP + 100 * i, 100);
      ticker.advance(Duration.ofMillis(2_000 / (2 * THRESHOLD) - 1));
    }

    assertHottest(ring);
    assertThat(ring.count("hot")).isGreaterThan(THRESHOLD);
    assertThat(ring.stats().size()).isLessThanOrEqualTo(kind.equals("rotating") ? 2 * CAP : CAP);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void touch_newHotKeyAmongKeysTouchedTwice_isInTop(int secret) {
    byte[] bytes = new byte[16];
    bytes[0] = (byte) secret;
    HotRing ring = builder.secret(HashSecret.of(bytes)).build();
    touchColdKeysTwice(ring, 0, 10 * CAP);

    for (int i = 0; i < 2 * THRESHOLD; i++) {
      ring.touch("hot");
      touchColdKeysTwice(ring, 10 * CAP + 1_000 * i, 1_000);
      ticker.advance(Duration.ofMillis(2_000 / (2 * THRESHOLD) - 1));
    }

    assertHottest(ring);
  }

  @Test
  void touch_coldKeysOnARingOfHotKeys_evictNone() {
    HotRing ring = builder.build();
    for (int i = 0; i < CAP; i++) {
      for (int n = 0; n < 20; n++) {
        ring.touch("hot-" + i);
      }
    }

    touchColdKeys(ring, 20 * CAP);

    assertThat(ring.stats().evicted()).isZero();
    assertThat(ring.keysAbove(20)).hasSize(CAP);
  }

  @Test
  void tryTouch_keyNotAdmitted_isAdmittedAndUntracked() {
    HotRing ring = builder.build();
    for (int i = 0; i < CAP; i++) {
      ring.touch("k" + i);
      ring.touch("k" + i);
    }

    Admission admission = ring.tryTouch("new", 1);

    assertThat(admission).hasToString("0 of 1, admitted, untracked");
    assertThat(ring.stats().drops()).isEqualTo(1);
  }

  @Test
  void tryTouch_keyNotAdmittedByARingThatRefuses_isRefusedUntilKeysMayExpire() {
    HotRing ring = builder.whenFull(WhenFull.REFUSE).build();
    for (int i = 0; i < CAP; i++) {
      ring.touch("k" + i);
      ring.touch("k" + i);
    }
    ticker.advance(Duration.ofMillis(100));

    Admission refused = ring.tryTouch("new", 1);
    Admission held = ring.tryTouch("k7", 3);

    assertThat(refused).hasToString("0 of 1, refused for PT0.15S, untracked");
    assertThat(held).hasToString("3 of 3, admitted");
    assertThat(ring.stats().drops()).isEqualTo(1);
    assertThat(ring.stats().refused()).isEqualTo(1);
    ticker.advance(Duration.ofSeconds(2));
    assertThat(ring.tryTouch("new", 1).admitted()).isTrue();
  }

  @Test
  void tryTouch_refusedByARingWithoutTime_isNeverAdmitted() {
    HotRing ring =
        builder
            .window(0, Duration.ZERO)
            .rotation(Duration.ZERO)
            .maxKeys(1)
            .whenFull(WhenFull.REFUSE)
            .build();
    ring.touch("k");
    ring.touch("k");

    Admission refused = ring.tryTouch("new", 1);

    assertThat(refused.admitted()).isFalse();
    assertThat(refused.retryAfter()).isEqualTo(Admission.NEVER);
  }

  @Test
  void touch_othersHaveExpired_isCountedAgain() {
    HotRing ring = builder.build();
    touchColdKeys(ring, CAP);
    ticker.advance(Duration.ofSeconds(2));

    int counted = 0;
    for (int i = 0; i < CAP; i++) {
      counted += ring.touch("new-" + i) > 0 ? 1 : 0;
    }

    assertThat(counted).isGreaterThan(CAP * 95 / 100);
    assertThat(ring.stats().expired()).isGreaterThan(CAP * 9 / 10);
  }

  @Test
  void touch_afterARotation_hasTheWholeCapAgain() {
    HotRing ring = ringOf("rotating");
    touchColdKeys(ring, CAP);

    ticker.advance(Duration.ofMinutes(1));
    touchColdKeys(ring, CAP, CAP);

    assertThat(ring.stats().size()).isEqualTo(2 * CAP);
    assertThat(ring.stats().drops()).isZero();
    assertThat(ring.count("cold-0")).isEqualTo(1);
  }

  @Test
  void touch_oldAndNewKeysInEveryGeneration_neverExceedsTwiceTheCap() {
    HotRing ring = ringOf("rotating");

    for (int rotation = 0; rotation < 5; rotation++) {
      touchColdKeys(ring, rotation * CAP, CAP);
      for (int old = 0; old < rotation; old++) {
        touchColdKeys(ring, old * CAP, CAP);
      }
      ticker.advance(Duration.ofMinutes(1));

      assertThat(ring.stats().size()).isLessThanOrEqualTo(2 * CAP);
    }
  }

  @Test
  void touch_sampleBitsOfFour_admitsAboutOneNewKeyOfSixteen() {
    HotRing ring = builder.sampleBits(4).window(0, Duration.ZERO).build();
    touchColdKeys(ring, CAP);
    long before = ring.stats().inserts();

    touchColdKeys(ring, CAP, 16_000);

    assertThat(ring.stats().inserts() - before).isBetween(850L, 1_150L);
    assertThat(ring.stats().size()).isEqualTo(CAP);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void touch_newHotKeyInALargeTableWithASmallCap_isInTop(int cap) {
    HotRing ring = builder.bits(20).maxKeys(cap).build();
    touchColdKeys(ring, 10 * cap);

    for (int i = 0; i < 2 * THRESHOLD; i++) {
      ring.touch("hot");
    }

    assertHottest(ring);
    assertThat(ring.count("hot")).isGreaterThan(THRESHOLD);
  }

  @Test
  void touch_sampledInALargeTableWithASmallCap_admitsAboutHalfOfTheNewKeys() {
    HotRing ring = builder.bits(20).maxKeys(16).sampleBits(1).window(0, Duration.ZERO).build();
    touchColdKeys(ring, 16);
    long before = ring.stats().inserts();

    touchColdKeys(ring, 16, 4_000);

    assertThat(ring.stats().inserts() - before).isBetween(1_850L, 2_150L);
    assertThat(ring.stats().size()).isEqualTo(16);
  }

  @Test
  void touch_newHotKeyInALargeTableWithASmallByteCap_isInTop() {
    HotRing ring = builder.bits(20).maxKeys(0).maxBytes(1_000).build();
    touchColdKeys(ring, 100);

    for (int i = 0; i < 2 * THRESHOLD; i++) {
      ring.touch("hot");
    }

    assertHottest(ring);
  }

  @Test
  void touch_keysOfAllLengths_neverExceedTheByteCap() {
    HotRing ring = builder.maxKeys(0).maxBytes(64 * 1024).build();

    for (int i = 0; i < 5_000; i++) {
      ring.touch("k".repeat(i % 700) + i);
      ring.touch("k".repeat(i % 700) + i);
    }

    RingStats stats = ring.stats();
    assertThat(stats.bytes()).isBetween(60_000L, 64L * 1024);
    assertThat(stats.inserts()).isGreaterThan(stats.size());
    assertThat(stats.drops()).isPositive();
  }

  @Test
  void touch_largeKeysReplaceSmallOnes_byteCapIncludesTheCells() {
    long capBytes = 4_000_000;
    HotRing ring = builder.bits(1).maxKeys(0).maxBytes(capBytes).build();
    touchColdKeys(ring, 40_000);
    ticker.advance(Duration.ofSeconds(10));

    for (int i = 0; i < 40_000; i++) {
      ring.touch(i + "x".repeat(500));
    }

    RingStats stats = ring.stats();
    long cells = 20 * stats.cells();
    long entriesAndKeys = stats.size() * (ring.entryBytes(505) - 80L);
    assertThat(entriesAndKeys + cells).isLessThanOrEqualTo(capBytes);
    assertThat(stats.size()).isGreaterThan(5_000);
  }

  @Test
  void remove_nearlyAllKeys_shrinksTheTableAndKeepsTheOthers() {
    HotRing ring = builder.bits(1).maxKeys(0).build();
    touchColdKeys(ring, 3 * CAP);

    for (int i = 0; i < 3 * CAP - 5; i++) {
      ring.remove("cold-" + i);
    }

    assertThat(ring.stats().cells()).isLessThan(100);
    assertThat(ring.stats().size()).isEqualTo(5);
    for (int i = 3 * CAP - 5; i < 3 * CAP; i++) {
      assertThat(ring.count("cold-" + i)).isEqualTo(1);
    }
  }

  @Test
  void remove_onlyKey_releasesItsRoom() {
    HotRing ring = builder.maxKeys(1).maxBytes(1_000).build();
    ring.touch("a");
    long held = ring.stats().bytes();

    ring.remove("a");

    assertThat(held).isEqualTo(ring.entryBytes(1));
    assertThat(ring.stats().bytes()).isZero();
    assertThat(ring.touch("b")).isEqualTo(1);
  }

  @Test
  void touch_capOfZero_isNeverDropped() {
    HotRing ring = builder.maxKeys(0).build();

    touchColdKeys(ring, 3 * CAP);

    assertThat(ring.stats().size()).isEqualTo(3 * CAP);
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

  private static void touchColdKeys(HotRing ring, int keys) {
    touchColdKeys(ring, 0, keys);
  }

  private static void touchColdKeys(HotRing ring, int from, int keys) {
    for (int i = from; i < from + keys; i++) {
      ring.touch("cold-" + i);
    }
  }

  private static void assertHottest(HotRing ring) {
    assertThat(ring.top(1)).extracting(KeyCount::toString).first().asString().startsWith("hot@");
  }

  private static void touchColdKeysTwice(HotRing ring, int from, int count) {
    for (int i = from; i < from + count; i++) {
      ring.touch("cold-" + i);
      ring.touch("cold-" + i);
    }
  }
}
