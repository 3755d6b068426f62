package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SketchSnapshotTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[16]);

  /** The offset of the first stripe: the header of 32 bytes and its checksum. */
  private static final int STRIPE = 36;

  @Test
  void restore_anyFlippedBit_throws() throws IOException {
    byte[] stored = stored();

    for (int bit = 0; bit < stored.length * 8; bit++) {
      byte[] flipped = stored.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);

      assertThatThrownBy(() -> restore(flipped))
          .as("bit %d", bit)
          .isInstanceOf(InvalidSnapshotException.class)
          .hasMessageStartingWith("snapshot ");
    }
  }

  @Test
  void restore_anyTruncation_throws() throws IOException {
    byte[] stored = stored();

    for (int length = 0; length < stored.length; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThatThrownBy(() -> restore(cut))
          .as("%d bytes", length)
          .isInstanceOf(InvalidSnapshotException.class);
    }
  }

  @Test
  void restore_bytesAfterTheEnd_areNotRead() throws IOException {
    byte[] stored = stored();
    InputStream in = new ByteArrayInputStream(Arrays.copyOf(stored, stored.length + 9));

    CountMinSketch sketch = CountMinSketch.builder().secret(SECRET).restore(in);

    assertThat(sketch.estimate("key:7")).isGreaterThanOrEqualTo(8);
    assertThat(in.available()).isEqualTo(9);
  }

  /** Invalid content with valid checksums must be rejected before anything is allocated. */
  @ParameterizedTest
  @MethodSource("lies")
  void restore_invalidContentWithValidChecksums_throws(Consumer<ByteBuffer> change)
      throws IOException {
    byte[] stored = stored();
    change.accept(ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN));
    seal(stored);

    assertThatThrownBy(() -> restore(stored))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessageNotContaining("checksum");
  }

  static Stream<Named<Consumer<ByteBuffer>>> lies() {
    return Stream.of(
        Named.of("another magic number", b -> b.put(0, (byte) 'X')),
        Named.of("future version", b -> b.putShort(8, (short) 3)),
        Named.of("single writer of two stripes", b -> b.put(10, (byte) 1)),
        Named.of("unknown kind of writer", b -> b.put(10, (byte) 2)),
        Named.of("counters of 16 bits", b -> b.put(11, (byte) 16)),
        Named.of("no rows", b -> b.putShort(12, (short) 0)),
        Named.of("17 rows", b -> b.putShort(12, (short) 17)),
        Named.of("no stripes", b -> b.putShort(14, (short) 0)),
        Named.of("three stripes", b -> b.putShort(14, (short) 3)),
        Named.of("many stripes", b -> b.putShort(14, (short) 16_384)),
        Named.of("no width", b -> b.putInt(16, 0)),
        Named.of("negative width", b -> b.putInt(16, -8)),
        Named.of("2^31 - 1 counters in a row", b -> b.putInt(16, Integer.MAX_VALUE)),
        Named.of("rows whose bytes wrap an int", b -> b.putInt(16, 1 << 29)),
        Named.of("more counters than bytes", b -> b.putInt(16, 1 << 28)),
        Named.of("halving of a stripe that is not there", b -> b.putInt(20, 2)),
        Named.of("halving of a negative stripe", b -> b.putInt(20, -1)),
        Named.of("negative total", b -> b.putLong(STRIPE, -1)),
        Named.of("halved total above the total", b -> b.putLong(STRIPE + 8, 1L << 40)),
        Named.of("halving past the end", b -> b.putInt(STRIPE + 16, 24)),
        Named.of("halving before the start", b -> b.putInt(STRIPE + 16, -2)),
        Named.of("unknown flag", b -> b.putInt(STRIPE + 20, 4)),
        Named.of("negative counter", b -> b.putLong(STRIPE + 28, -1)));
  }

  @Test
  void restore_otherSecretOrFunction_throws() throws IOException {
    byte[] stored = stored();
    CountMinSketchBuilder other = CountMinSketch.builder();

    assertThatThrownBy(() -> other.restore(new ByteArrayInputStream(stored)))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessage("snapshot is of another hash function or secret of its keys");
  }

  @Test
  void restore_moreThanTheBudget_throws() throws IOException {
    byte[] stored = stored();
    CountMinSketchBuilder small = CountMinSketch.builder().secret(SECRET).maxBytes(1000);

    assertThatThrownBy(() -> small.restore(new ByteArrayInputStream(stored)))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessage("snapshot needs 1104 bytes of memory, the budget is 1000");
    assertThatThrownBy(() -> small.maxBytes(-1).restore(new ByteArrayInputStream(stored)))
        .isInstanceOf(InvalidSettingsException.class);
  }

  @Test
  void restore_sketchOfManyBlocks_equalsTheOriginal() throws IOException {
    for (int bits = Integer.SIZE; bits <= Long.SIZE; bits += Integer.SIZE) {
      CountMinSketch sketch =
          CountMinSketch.builder()
              .secret(SECRET)
              .width(20_001)
              .depth(3)
              .counterBits(bits)
              .stripes(2)
              .build();
      for (int i = 0; i < 10_000; i++) {
        sketch.touch(i, i);
      }

      CountMinSketch again = restore(bytes(sketch));

      assertThat(bytes(again)).isEqualTo(bytes(sketch));
      assertThat(again.bytes()).isEqualTo(sketch.bytes());
      for (int i = 0; i < 10_000; i++) {
        assertThat(again.estimate(i)).isEqualTo(sketch.estimate(i)).isGreaterThanOrEqualTo(i);
      }
    }
  }

  /** Pins the bytes of version 2, which must never change. */
  @Test
  void writeTo_knownSketch_isTheStoredBytes() throws IOException {
    CountMinSketch sketch =
        CountMinSketch.builder().secret(SECRET).width(3).depth(2).stripes(1).build();
    sketch.touch("a", 5);
    sketch.touch("b", 0x01020304);

    String stored = HexFormat.of().formatHex(bytes(sketch));

    assertThat(stored)
        .isEqualTo(
            "4853534b455443480200002002000100030000000000000095abb2e3f7a51af83ff22bc1"
                + "09030201000000000000000000000000ffffffff00000000fedacfaf"
                + "050000000000000004030201040302010000000000000000cf0a7537");
    assertThat(restore(HexFormat.of().parseHex(stored)).estimate("b")).isEqualTo(0x01020304);
  }

  private static byte[] stored() throws IOException {
    CountMinSketch sketch =
        CountMinSketch.builder()
            .secret(SECRET)
            .width(8)
            .depth(3)
            .counterBits(64)
            .stripes(2)
            .build();
    for (int i = 0; i < 20; i++) {
      sketch.touch("key:" + i, i + 1);
    }
    return bytes(sketch);
  }

  private static CountMinSketch restore(byte[] stored) throws IOException {
    return CountMinSketch.builder().secret(SECRET).restore(new ByteArrayInputStream(stored));
  }

  private static byte[] bytes(CountMinSketch sketch) throws IOException {
    var out = new ByteArrayOutputStream();
    sketch.writeTo(out);
    return out.toByteArray();
  }

  /** Computes all checksums of a sketch of two stripes of 24 counters of 64 bits again. */
  private static void seal(byte[] stored) {
    ByteBuffer bytes = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    var crc = new CRC32C();
    int at = 0;
    for (int block : new int[] {32, 24, 8 * 24, 24, 8 * 24}) {
      crc.update(stored, at, block);
      bytes.putInt(at + block, (int) crc.getValue());
      at += block + Integer.BYTES;
    }
  }
}
