package io.heatshield.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.WindowCounts;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.time.FakeTicker;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class NodeSnapshotTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final KeyHash HASH = KeyHash.fast(SECRET);
  private static final long FINGERPRINT = HASH.fingerprint();

  private final FakeTicker ticker = new FakeTicker();

  @Test
  void unpack_packedSnapshot_equalsTheOriginal() {
    NodeSnapshot snapshot = snapshot(detector(1024, 4), 2);
    WindowCounts counts = snapshot.scopes().get(0).counts();

    NodeSnapshot read = NodeSnapshot.unpack(snapshot.pack(FINGERPRINT), FINGERPRINT);

    assertThat(read)
        .usingRecursiveComparison()
        .ignoringFieldsOfTypes(WindowCounts.class)
        .isEqualTo(snapshot);
    WindowCounts same = read.scopes().get(0).counts();
    assertThat(same.isLike(counts)).isTrue();
    assertThat(same.total()).isEqualTo(counts.total());
    assertThat(IntStream.range(0, counts.size()).map(same::cell).toArray())
        .isEqualTo(IntStream.range(0, counts.size()).map(counts::cell).toArray());
  }

  @Test
  void unpack_truncatedOrBitFlipped_isRejected() {
    byte[] bytes = snapshot(detector(64, 2), 1).pack(FINGERPRINT);

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThat(rejectionOf(cut, FINGERPRINT)).contains("damaged");
    }
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(rejectionOf(flipped, FINGERPRINT)).containsAnyOf("damaged", "version");
    }
  }

  @Test
  void unpack_anotherVersionOrSecret_isRejectedWithTheReason() {
    byte[] bytes = snapshot(detector(64, 2), 1).pack(FINGERPRINT);
    byte[] newer = bytes.clone();
    newer[4] = 9;

    var version =
        catchThrowableOfType(InvalidFleetDataException.class, () -> unpack(newer, FINGERPRINT));
    var secret =
        catchThrowableOfType(InvalidFleetDataException.class, () -> unpack(bytes, FINGERPRINT + 1));

    assertThat(version).hasMessageContaining("version 9").hasMessageContaining("version 1");
    assertThat(secret).hasMessageContaining("another secret");
  }

  @Test
  void unpack_invalidSketchWithValidChecksum_isRejectedBeforeAllocation() {
    var out = new FleetEncoder(FleetEncoder.NODE, FINGERPRINT);
    out.text("n");
    out.number(1);
    out.number(1000);
    out.text("");
    out.number(0);
    out.number(1);
    out.text("scope");
    for (int i = 0; i < 4; i++) {
      out.number(1);
    }
    out.number(Integer.MAX_VALUE);
    out.number(16);
    out.number(1);
    out.number(0);

    assertThat(rejectionOf(out.sealed(), FINGERPRINT)).contains("damaged");
  }

  @Test
  void unpack_randomBytesWithValidChecksum_areRejectedOrRead() {
    byte[] bytes = snapshot(detector(64, 2), 1).pack(FINGERPRINT);

    for (int at = 14; at < bytes.length - 4; at++) {
      byte[] changed = bytes.clone();
      changed[at] ^= (byte) 0xff;
      seal(changed);
      try {
        assertThat(NodeSnapshot.unpack(changed, FINGERPRINT).scopes()).hasSizeLessThanOrEqualTo(64);
      } catch (InvalidFleetDataException e) {
        assertThat(e).hasMessageContaining("damaged");
      }
    }
  }

  @Test
  void pack_moreScopesThanFit_countsThoseLeftOut() {
    HotKeyDetector wide = detector(1 << 14, 4);

    byte[] bytes = snapshot(wide, 70).pack(FINGERPRINT);

    NodeSnapshot read = NodeSnapshot.unpack(bytes, FINGERPRINT);
    assertThat(bytes).hasSizeLessThanOrEqualTo(NodeSnapshot.MAX_BYTES);
    assertThat(read.scopes().size() + read.leftOut()).isEqualTo(70);
    assertThat(read.leftOut()).isPositive();
  }

  @Test
  void counts_wideSketch_areFoldedAndNeverBelowTheExactCounts() {
    HotKeyDetector detector = detector(100_003, 4);
    var zipf = new Zipf(50_000, 1.0, 3);
    int[] truth = new int[50_001];
    for (int i = 0; i < 200_000; i++) {
      int rank = (int) zipf.next();
      detector.touch(Zipf.key(rank));
      truth[rank]++;
    }

    WindowCounts counts = detector.counts(ScopeHeat.MAX_CELLS);

    assertThat(counts.fold()).isEqualTo(7);
    assertThat(counts.size()).isLessThanOrEqualTo(ScopeHeat.MAX_CELLS);
    int beyond = 0;
    for (int rank = 1; rank < truth.length; rank++) {
      long estimate = counts.estimate(HASH.hash(Zipf.key(rank)));
      assertThat(estimate).isGreaterThanOrEqualTo(truth[rank]);
      beyond += estimate - truth[rank] > counts.errorBound(counts.total()) ? 1 : 0;
    }
    assertThat(beyond).isLessThan(truth.length / 50);
  }

  private HotKeyDetector detector(int width, int depth) {
    HotKeyDetector detector =
        HotKeyDetector.builder()
            .width(width)
            .depth(depth)
            .stripes(2)
            .secret(SECRET)
            .ticker(ticker::nanos)
            .build();
    IntStream.range(0, 300).forEach(i -> detector.touch("key:" + i % 30, i));
    return detector;
  }

  private static NodeSnapshot snapshot(HotKeyDetector detector, int scopes) {
    return new NodeSnapshot(
        "node-1",
        7,
        1000,
        "redis: does not answer",
        0,
        List.of(new Saved("coalesce", 1, 2, 3, 4)),
        IntStream.range(0, scopes).mapToObj(i -> ScopeHeat.of("scope" + i, detector)).toList());
  }

  private static void unpack(byte[] bytes, long fingerprint) {
    NodeSnapshot.unpack(bytes, fingerprint);
  }

  private static String rejectionOf(byte[] bytes, long fingerprint) {
    var refused =
        catchThrowableOfType(InvalidFleetDataException.class, () -> unpack(bytes, fingerprint));
    return String.valueOf(refused.getMessage());
  }

  private static void seal(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - 4);
    for (int i = 0; i < 4; i++) {
      bytes[bytes.length - 4 + i] = (byte) (crc.getValue() >>> (8 * i));
    }
  }
}
