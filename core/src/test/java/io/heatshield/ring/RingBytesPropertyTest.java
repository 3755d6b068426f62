package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares the size of a ring that is computed from its settings with that of a full ring. */
class RingBytesPropertyTest {
  private final FakeTicker ticker = new FakeTicker();

  @Property(tries = 50)
  void bytes_whateverTheKeys_isNeverExceeded(
      @ForAll @IntRange(min = 1, max = 14) int bits,
      @ForAll @IntRange(min = 0, max = 2000) int maxKeys,
      @ForAll @IntRange(min = 1, max = 300_000) int maxBytes,
      @ForAll @IntRange(min = 0, max = 12) int slots,
      @ForAll @IntRange(min = 1, max = 600) int keyLength) {
    HotRingBuilder builder = builder(bits, slots).maxKeys(maxKeys).maxBytes(maxBytes);
    HotRing ring = builder.build();

    touchAll(ring, 3000, keyLength);

    assertThat(ring.bytes()).isLessThanOrEqualTo(builder.bytes());
  }

  @Property(tries = 20)
  void bytes_cappedByBytes_isLittleMoreThanAFullRingTakes(
      @ForAll @IntRange(min = 100_000, max = 300_000) int maxBytes,
      @ForAll @IntRange(min = 0, max = 12) int slots) {
    HotRingBuilder builder = builder(6, slots).maxKeys(0).maxBytes(maxBytes);
    HotRing ring = builder.build();

    touchAll(ring, 5000, 20);

    assertThat((double) ring.bytes()).isGreaterThan(0.9 * builder.bytes());
  }

  private HotRingBuilder builder(int bits, int slots) {
    return HotRing.builder().ticker(ticker::nanos).bits(bits).window(slots, Duration.ofMillis(250));
  }

  private static void touchAll(HotRing ring, int keys, int keyLength) {
    for (int i = 0; i < keys; i++) {
      byte[] key = new byte[Math.max(3, keyLength)];
      key[0] = (byte) i;
      key[1] = (byte) (i >> 8);
      key[2] = (byte) (i >> 16);
      ring.touch(key);
    }
  }
}
