package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SketchFormatTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[16]);
  private static final KeyHash HASH = KeyHash.fast(SECRET);

  @Test
  void restore_anyFlippedBit_throws() {
    byte[] stored = stored();

    for (int bit = 0; bit < stored.length * 8; bit++) {
      byte[] flipped = stored.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);

      assertThatThrownBy(() -> CountMinSketch.restore(flipped, HASH))
          .as("bit %d", bit)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("snapshot must be ");
    }
  }

  @Test
  void restore_anyTruncationOrExtension_throws() {
    byte[] stored = stored();

    for (int length = 0; length <= stored.length + 9; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      if (length != stored.length) {
        assertThatThrownBy(() -> CountMinSketch.restore(cut, HASH))
            .as("%d bytes", length)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("snapshot must be ");
      }
    }
  }

  /** Invalid content with a valid checksum must be rejected before anything is allocated. */
  @ParameterizedTest
  @MethodSource("lies")
  void restore_invalidContentWithValidChecksum_throws(Consumer<ByteBuffer> change) {
    byte[] stored = stored();
    change.accept(ByteBuffer.wrap(stored));
    seal(stored);

    assertThatThrownBy(() -> CountMinSketch.restore(stored, HASH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("snapshot must be ");
  }

  static Stream<Named<Consumer<ByteBuffer>>> lies() {
    return Stream.of(
        Named.of("another magic number", b -> b.put(0, (byte) 'X')),
        Named.of("future version", b -> b.putShort(4, (short) 2)),
        Named.of("unknown update", b -> b.put(6, (byte) 2)),
        Named.of("negative update", b -> b.put(6, (byte) -1)),
        Named.of("single writer of two stripes", b -> b.put(7, (byte) 1)),
        Named.of("counters of 16 bits", b -> b.putShort(8, (short) 16)),
        Named.of("no rows", b -> b.putShort(10, (short) 0)),
        Named.of("17 rows", b -> b.putShort(10, (short) 17)),
        Named.of("no width", b -> b.putInt(12, 0)),
        Named.of("negative width", b -> b.putInt(12, -8)),
        Named.of("2^31 - 1 counters in a row", b -> b.putInt(12, Integer.MAX_VALUE)),
        Named.of("rows whose bytes wrap an int", b -> b.putInt(12, 1 << 29)),
        Named.of("no stripes", b -> b.putShort(16, (short) 0)),
        Named.of("three stripes", b -> b.putShort(16, (short) 3)),
        Named.of("many stripes", b -> b.putShort(16, (short) 16_384)),
        Named.of("halving of a stripe that is not there", b -> b.putShort(18, (short) 2)),
        Named.of("negative total", b -> b.putLong(SketchFormat.HEADER, -1)),
        Named.of("halved total above the total", b -> b.putLong(SketchFormat.HEADER + 8, 1L << 40)),
        Named.of("halving past the end", b -> b.putInt(SketchFormat.HEADER + 16, 24)),
        Named.of("unknown flag", b -> b.putInt(SketchFormat.HEADER + 20, 4)),
        Named.of("negative counter", b -> b.putLong(SketchFormat.HEADER + 24, -1)));
  }

  @Test
  void restore_otherSecretOrFunction_throws() {
    byte[] stored = stored();

    assertThatThrownBy(() -> CountMinSketch.restore(stored, KeyHash.fast(HashSecret.random())))
        .hasMessage("snapshot must be of this hash function and secret: another fingerprint");
    assertThatThrownBy(() -> CountMinSketch.restore(stored, KeyHash.sip13(SECRET)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Pins the bytes of version 1, which must never change. */
  @Test
  void snapshot_knownSketch_isTheStoredBytes() {
    CountMinSketch sketch = CountMinSketch.builder().dimensions(3, 2).stripes(1).build();
    sketch.count(HASH.hash("a"), 5);
    sketch.count(HASH.hash("b"), 0x01020304);

    String stored = HexFormat.of().formatHex(sketch.snapshot(HASH));

    assertThat(stored)
        .isEqualTo(
            "4853434d00010000002000020000000300010000f81aa5f7e3b2ab95"
                + "00000000010203090000000000000000ffffffff00000000"
                + "000000050000000001020304010203040000000000000000707aeff1");
    assertThat(
            CountMinSketch.restore(HexFormat.of().parseHex(stored), HASH).estimate(HASH.hash("b")))
        .isEqualTo(0x01020304);
  }

  private static byte[] stored() {
    CountMinSketch sketch =
        CountMinSketch.builder().dimensions(8, 3).counterBits(64).stripes(2).build();
    for (int i = 0; i < 20; i++) {
      sketch.count(HASH.hash("key:" + i), i + 1);
    }
    return sketch.snapshot(HASH);
  }

  private static void seal(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - 4);
    ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) crc.getValue());
  }
}
