package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SizingTest {

  @Test
  void bitsFor_rateOfOneInAThousand_returns13() {
    assertThat(Sizing.bitsFor(0.001, 4)).isEqualTo(13);
    assertThat(Sizing.plannedRate(12, 4)).isCloseTo(0.00186, within(0.00001));
    assertThat(Sizing.plannedRate(13, 4)).isCloseTo(0.00093, within(0.00001));
  }

  @Test
  void packedBytes_22BillionKeysAtOneInAThousand_returns37_6Gigabytes() {
    long buckets = Sizing.buckets(22_000_000_000L, 4, 13);

    long bytes = Sizing.packedBytes(buckets, 4, 13);

    assertThat(buckets).isGreaterThan(1L << 31);
    assertThat(bytes / 1e9).isCloseTo(37.6, within(0.05));
  }

  @Test
  void buckets_anyNumberOfItems_isEvenAndHoldsThem() {
    for (int bucketSize = 1; bucketSize <= 8; bucketSize++) {
      for (int bits : new int[] {4, 13, 32}) {
        for (long items = 1; items < 1L << 40; items += 1 + items / 3) {
          long buckets = Sizing.buckets(items, bucketSize, bits);

          assertThat(buckets).isEven();
          assertThat(Sizing.capacity(buckets, bucketSize, bits)).isGreaterThanOrEqualTo(items);
        }
      }
    }
  }

  @Test
  void bytes_hundredMillionKeys_isWithinTwoPercentOfTheFingerprints() {
    Geometry geometry = Geometry.of(13, 4, Sizing.buckets(100_000_000, 4, 13));

    double bitsPerKey = CuckooTable.bytes(geometry, 500) * 8.0 / 100_000_000;

    assertThat(bitsPerKey).isLessThan(1.02 * 13 / 0.95);
  }
}
