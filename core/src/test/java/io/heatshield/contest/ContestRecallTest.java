package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares a table of 1,000 slots with the exact decayed scores of 50,000 keys. */
class ContestRecallTest {
  private static final int KEYS = 50_000;
  private static final int TOUCHES = 400_000;
  private static final int SLOTS = 1_000;
  private static final long WINDOW = ContestFixture.WINDOW.toNanos();

  private final FakeTicker ticker = new FakeTicker();
  private final double[] scores = new double[KEYS + 1];
  private final long[] touched = new long[KEYS + 1];
  private long start;

  @ParameterizedTest
  @CsvSource({"1.0, 11", "1.0, 12", "1.0, 13"})
  void top_zipfOne_isExact(double exponent, long seed) {
    ContestTable table = run(exponent, seed);

    assertThat(recall(table, 100)).isEqualTo(1.0);
    assertThat(recall(table, 500)).isGreaterThanOrEqualTo(0.95);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 11", "0.5, 12", "0.5, 13"})
  void top_zipfOneHalf_isNearlyExact(double exponent, long seed) {
    ContestTable table = run(exponent, seed);

    assertThat(recall(table, 100)).isGreaterThanOrEqualTo(0.95);
  }

  @ParameterizedTest
  @CsvSource({"1.0, 11", "1.0, 12", "1.0, 13"})
  void top_floodOfTenTimesTheSlots_isExact(double exponent, long seed) {
    ContestTable table = run(exponent, seed);

    for (int i = 0; i < 10 * SLOTS; i++) {
      var unused = ContestFixture.touch(table, "junk:" + seed + ":" + i);
    }

    assertThat(recall(table, 100)).isEqualTo(1.0);
    assertThat(table.stats().size()).isEqualTo(SLOTS);
  }

  private ContestTable run(double exponent, long seed) {
    ContestTable table =
        HeavyHitters.builder()
            .maxKeys(SLOTS)
            .stripes(16)
            .window(ContestFixture.WINDOW)
            .seeds(new ContestFixture.Seeds(seed))
            .ticker(ticker::nanos)
            .keys(HashSecret.of(Arrays.copyOf(new byte[] {(byte) seed}, 32)), entry -> {});
    var zipf = new Zipf(KEYS, exponent, seed);
    start = ticker.nanos();
    for (int i = 0; i < TOUCHES; i++) {
      int key = (int) zipf.next();
      var unused = ContestFixture.touch(table, name(key));
      long now = ticker.nanos() - start;
      scores[key] = scores[key] * Math.exp((touched[key] - now) / (double) WINDOW) + 1;
      touched[key] = now;
      ticker.advanceNanos(WINDOW / TOUCHES);
    }
    return table;
  }

  private double recall(ContestTable table, int n) {
    Set<String> found = new HashSet<>();
    for (KeyScore entry : table.top(n)) {
      found.add(new String(entry.key(), StandardCharsets.UTF_8));
    }
    List<Integer> expected =
        IntStream.rangeClosed(1, KEYS)
            .boxed()
            .sorted(
                Comparator.comparingDouble(
                    k -> -scores[k] * Math.exp(touched[k] / (double) WINDOW)))
            .limit(n)
            .toList();
    return expected.stream().filter(key -> found.contains(name(key))).count() / (double) n;
  }

  private static String name(int key) {
    return "client:" + key;
  }
}
