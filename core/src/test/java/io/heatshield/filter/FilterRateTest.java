package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterRateTest {
  private static final int SECRETS = 10;
  private static final int KEYS = 50_000;
  private static final int PROBES = 1_000_000;

  @ParameterizedTest
  @ValueSource(ints = {8, 12, 13, 16})
  void contains_ofAbsentKeysAt95PercentLoad_keepsTheStatedRate(int bits) {
    long positives = 0;
    double stated = 0;
    for (int secret = 0; secret < SECRETS; secret++) {
      byte[] seed = new byte[32];
      seed[0] = (byte) secret;
      KeyHash hash = KeyHash.fast(HashSecret.of(seed));
      CuckooFilter filter =
          CuckooFilter.builder(hash).expectedItems(KEYS).fingerprintBits(bits).build();
      byte[] key = new byte[12];
      ByteBuffer number = ByteBuffer.wrap(key);
      for (long i = 0; filter.size() < filter.capacity(); i++) {
        assertThat(filter.add(number.putLong(0, i).array())).isEqualTo(AddResult.ADDED);
      }
      for (long i = 0; i < PROBES; i++) {
        positives += filter.contains(number.putLong(0, -1 - i).array()) ? 1 : 0;
      }
      stated += filter.expectedFalsePositiveRate() / SECRETS;
    }

    double measured = (double) positives / SECRETS / PROBES;
    double sigma = Math.sqrt(stated * (1 - stated) / SECRETS / PROBES);

    assertThat(stated).isLessThanOrEqualTo(Sizing.plannedRate(bits, 4));
    assertThat(measured).isLessThan(stated + 3 * sigma).isGreaterThan(0.9 * stated - 3 * sigma);
  }
}
