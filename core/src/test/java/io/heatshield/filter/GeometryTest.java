package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GeometryTest {

  @Test
  void bitsFor_rateOfOneInAThousand_returns13() {
    assertThat(Geometry.bitsFor(0.001, 4)).isEqualTo(13);
    assertThat(Geometry.plannedRate(12, 4)).isCloseTo(0.00186, within(0.00001));
    assertThat(Geometry.plannedRate(13, 4)).isCloseTo(0.00093, within(0.00001));
  }

  @Test
  void packedBytes_22BillionKeysAtOneInAThousand_returns37_6Gigabytes() {
    long buckets = Geometry.buckets(22_000_000_000L, 4, 13);

    long bytes = Geometry.of(13, 4, buckets).packedBytes();

    assertThat(buckets).isGreaterThan(1L << 31);
    assertThat(bytes / 1e9).isCloseTo(37.6, within(0.05));
  }

  @Test
  void buckets_anyNumberOfItems_isEvenAndHoldsThem() {
    for (int bucketSize = 1; bucketSize <= 8; bucketSize++) {
      for (int bits : new int[] {4, 13, 32}) {
        for (long items = 1; items < 1L << 40; items += 1 + items / 3) {
          long buckets = Geometry.buckets(items, bucketSize, bits);

          assertThat(buckets).isEven();
          assertThat(Geometry.of(bits, bucketSize, buckets).capacity())
              .isGreaterThanOrEqualTo(items);
        }
      }
    }
  }

  @Test
  void bytes_hundredMillionKeys_isWithinTwoPercentOfTheFingerprints() {
    Geometry geometry = Geometry.of(13, 4, Geometry.buckets(100_000_000, 4, 13));

    double bitsPerKey = CuckooTable.bytes(geometry, 500) * 8.0 / 100_000_000;

    assertThat(bitsPerKey).isLessThan(1.02 * 13 / 0.95);
  }
}
