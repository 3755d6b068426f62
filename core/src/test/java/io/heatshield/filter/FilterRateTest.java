package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterRateTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final int SECRETS = 10;
  private static final int KEYS = 50_000;
  private static final int PROBES = 1_000_000;

  @ParameterizedTest
  @ValueSource(ints = {8, 12, 13, 16})
  void contains_absentKeysAt95PercentLoad_keepsTheExpectedRate(int bits) {
    long positives = 0;
    double expected = 0;
    for (int secret = 0; secret < SECRETS; secret++) {
      byte[] seed = new byte[32];
      seed[0] = (byte) secret;
      CuckooFilter filter =
          CuckooFilter.builder()
              .secret(HashSecret.of(seed))
              .growth(Growth.REFUSE)
              .expectedItems(KEYS)
              .fingerprintBits(bits)
              .build();
      byte[] key = new byte[12];
      ByteBuffer number = ByteBuffer.wrap(key);
      for (long i = 0; filter.size() < filter.capacity(); i++) {
        assertThat(filter.add(number.putLong(0, i).array())).isEqualTo(AddResult.ADDED);
      }
      for (long i = 0; i < PROBES; i++) {
        positives += filter.mightContain(number.putLong(0, -1 - i).array()) ? 1 : 0;
      }
      expected += filter.expectedFalsePositiveRate() / SECRETS;
    }

    double measured = (double) positives / SECRETS / PROBES;
    double sigma = Math.sqrt(expected * (1 - expected) / SECRETS / PROBES);

    assertThat(expected).isLessThanOrEqualTo(Geometry.plannedRate(bits, 4));
    assertThat(measured).isLessThan(expected + 3 * sigma).isGreaterThan(0.9 * expected - 3 * sigma);
  }

  @Tag("thorough")
  @Test
  void contains_absentKeysWithShortFingerprints_keepsTheExpectedRate() {
    for (int bits : new int[] {4, 5, 6, 8}) {
      for (int bucketSize : new int[] {1, 2, 4}) {
        CuckooFilter filter =
            CuckooFilter.builder()
                .secret(SECRET)
                .growth(Growth.REFUSE)
                .expectedItems(500_000)
                .fingerprintBits(bits)
                .bucketSize(bucketSize)
                .build();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 250_000; i++) {
          AddResult unused = filter.add(random.nextLong());
        }
        long probes = 2_000_000;
        long found = 0;
        for (long i = 0; i < probes; i++) {
          found += filter.mightContain(random.nextLong()) ? 1 : 0;
        }
        double measured = (double) found / probes;
        double expected = filter.expectedFalsePositiveRate();
        double sigma = Math.sqrt(expected * (1 - expected) / probes);
        assertThat(measured).isLessThan(expected + 3 * sigma);
      }
    }
  }
}
