package io.heatshield.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.ring.HotRing;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RingShapeTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final long MEGABYTE = 1 << 20;

  private final FakeTicker ticker = new FakeTicker();

  @Test
  void build_withZeros_countsWithoutWindowUpToTheMemoryLimit() {
    HotRing ring =
        shape(0, Duration.ZERO, 0, Duration.ZERO, 0).build(SECRET, ticker::nanos, MEGABYTE);

    for (int i = 0; i < 5_000; i++) {
      ring.touch("k" + i);
    }
    ticker.advance(Duration.ofDays(300));

    assertThat(ring.stats().cells()).isGreaterThanOrEqualTo(4_096);
    assertThat(ring.stats().size()).isEqualTo(5_000);
    assertThat(ring.count("k0")).isEqualTo(1);
    for (int i = 0; i < 100_000; i++) {
      ring.touch("k" + i);
    }
    assertThat(ring.bytes()).isBetween(MEGABYTE / 2, MEGABYTE);
    assertThat(ring.stats().drops()).isPositive();
  }

  @Test
  void build_withoutAWindow_decaysCounts() {
    HotRing ring =
        shape(0, Duration.ZERO, 0, Duration.ofSeconds(1), 1).build(SECRET, ticker::nanos, MEGABYTE);
    for (int i = 0; i < 8; i++) {
      ring.touch("k");
    }

    ticker.advance(Duration.ofSeconds(3));

    assertThat(ring.count("k")).isEqualTo(1);
  }

  @Test
  void build_withACap_holdsThatNumberOfKeys() {
    HotRing ring =
        shape(8, Duration.ofMillis(250), 10, Duration.ZERO, 0)
            .build(SECRET, ticker::nanos, MEGABYTE);

    for (int i = 0; i < 1_000; i++) {
      ring.touch("k" + i);
      ring.touch("k" + i);
    }

    assertThat(ring.keysAbove(2)).hasSizeBetween(5, 10);
  }

  @Test
  void build_withMoreMemoryThanUseful_isAccepted() {
    RingShape vast = shape(8, Duration.ofMillis(250), 100_000_000, Duration.ZERO, 0);

    HotRing ring = vast.build(SECRET, ticker::nanos, 1L << 40);

    assertThat(ring.touch("k")).isEqualTo(1);
  }

  private static RingShape shape(
      int slots, Duration slot, int nodeCap, Duration decayInterval, int decayShift) {
    return new RingShape(0, 16, slots, slot, Duration.ZERO, nodeCap, 0, decayInterval, decayShift);
  }
}
