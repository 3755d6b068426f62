package io.heatshield.filter;

import static io.heatshield.filter.Results.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterSnapshotTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  @ParameterizedTest
  @CsvSource({"4, 13, 100000", "8, 32, 20000", "1, 4, 50", "3, 17, 5000"})
  void restore_storedSnapshot_returnsTheSameFilter(int bucketSize, int bits, int items)
      throws Exception {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(items)
            .bucketSize(bucketSize)
            .fingerprintBits(bits)
            .growth(Growth.CHAIN)
            .build();
    for (long key : new SplittableRandom(1).longs(items * 2L).toArray()) {
      AddResult unused = filter.add(key);
    }

    byte[] stored = bytes(filter);
    CuckooFilter loaded = builder().restore(new ByteArrayInputStream(stored));

    assertThat(bytes(loaded)).isEqualTo(stored);
    assertThat(loaded.size()).isEqualTo(filter.size());
    assertThat(loaded.stats().subFilters()).isEqualTo(filter.stats().subFilters());
    new SplittableRandom(2)
        .longs(10_000)
        .forEach(key -> assertThat(loaded.mightContain(key)).isEqualTo(filter.mightContain(key)));
  }

  @Test
  void restore_truncatedSnapshot_throws() throws Exception {
    byte[] stored = bytes(small());

    for (int length = 0; length < stored.length; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThatThrownBy(() -> builder().restore(new ByteArrayInputStream(cut)))
          .isInstanceOf(InvalidSnapshotException.class);
    }
  }

  @Test
  void restore_snapshotWithFlippedBit_throws() throws Exception {
    byte[] stored = bytes(small());

    for (int bit = 0; bit < stored.length * Byte.SIZE; bit++) {
      byte[] flipped = stored.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertThatThrownBy(() -> builder().restore(new ByteArrayInputStream(flipped)))
          .isInstanceOf(InvalidSnapshotException.class);
    }
  }

  @Test
  void restore_otherSecret_throws() throws Exception {
    byte[] stored = bytes(small());

    assertThatThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(HashSecret.random())
                    .restore(new ByteArrayInputStream(stored)))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessage("snapshot was made with another hash function or secret");
  }

  @Test
  void restore_overBudget_throws() throws Exception {
    byte[] stored = bytes(small());

    assertThatThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(SECRET)
                    .maxBytes(100)
                    .restore(new ByteArrayInputStream(stored)))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessageContaining("maxBytes is 100");
  }

  @ParameterizedTest
  @CsvSource({
    "8, 2, 1, has version 1",
    "10, 2, 0, 1 to 32 tables",
    "10, 2, 33, 1 to 32 tables",
    "12, 4, 1, nonzero reserved",
    "24, 8, 0, rate must be",
    "24, 8, 9221120237041090560, rate must be",
    "32, 1, 3, bits must be",
    "32, 1, 33, bits must be",
    "33, 1, 13, pair bits must be",
    "34, 1, 0, bucket size must be",
    "34, 1, 9, bucket size must be",
    "35, 1, 1, padding",
    "40, 8, 3, buckets must be",
    "40, 8, -2, buckets must be",
    "40, 8, 9223372036854775806, buckets must be",
    "40, 8, 8796093022208, maxBytes is",
    "48, 8, 1000, size must be",
    "48, 8, -1, size must be",
    "48, 8, 29, 'holds 30 fingerprints, but its header states 29'"
  })
  void restore_invalidValueWithValidChecksum_throws(
      int offset, int width, long value, String reason) throws Exception {
    byte[] forged = bytes(small());
    for (int i = 0; i < width; i++) {
      forged[offset + i] = (byte) (value >>> (8 * i));
    }
    reseal(forged);

    assertThatThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(SECRET)
                    .maxBytes(1 << 30)
                    .restore(new ByteArrayInputStream(forged)))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void restore_headerThatClaimsTerabytes_throwsWithoutAllocatingThem() throws Exception {
    byte[] forged = bytes(small());
    ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN).putLong(40, 1L << 43);
    reseal(forged);

    // There is no budget, so only the end of the stream stops the load.
    assertThatThrownBy(() -> builder().restore(new ByteArrayInputStream(forged)))
        .isInstanceOf(InvalidSnapshotException.class);
  }

  @Test
  void restore_truncatedOrFlippedSnapshotOfAChain_throws() throws Exception {
    CuckooFilter filter =
        CuckooFilter.builder().secret(SECRET).expectedItems(20).growth(Growth.CHAIN).build();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 70; i++) {
      accepted(filter.add(random.nextLong()));
    }
    var out = new ByteArrayOutputStream();
    filter.writeTo(out);
    byte[] bytes = out.toByteArray();
    for (int n = 0; n < bytes.length; n++) {
      int length = n;
      assertThatThrownBy(
              () ->
                  CuckooFilter.builder()
                      .secret(SECRET)
                      .restore(new ByteArrayInputStream(bytes, 0, length)))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] copy = bytes.clone();
      copy[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThatThrownBy(
              () -> CuckooFilter.builder().secret(SECRET).restore(new ByteArrayInputStream(copy)))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    CuckooFilter loaded =
        CuckooFilter.builder().secret(SECRET).restore(new ByteArrayInputStream(bytes));
    assertThat(loaded.size()).isEqualTo(filter.size());
  }

  static byte[] bytes(CuckooFilter filter) throws IOException {
    var out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  static CuckooFilter small() {
    CuckooFilter filter = builder().build();
    new SplittableRandom(1).longs(30).forEach(key -> accepted(filter.add(key)));
    return filter;
  }

  private static CuckooFilterBuilder builder() {
    return CuckooFilter.builder().secret(SECRET).growth(Growth.REFUSE).expectedItems(30);
  }

  /** Recomputes the checksums of a snapshot with one table and one block. */
  private static void reseal(byte[] snapshot) {
    ByteBuffer bytes = ByteBuffer.wrap(snapshot).order(ByteOrder.LITTLE_ENDIAN);
    var crc = new CRC32C();
    crc.update(snapshot, 0, 56);
    bytes.putInt(56, (int) crc.getValue());
    crc.update(snapshot, 60, snapshot.length - 64);
    bytes.putInt(snapshot.length - 4, (int) crc.getValue());
  }
}
