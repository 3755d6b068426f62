package io.heatshield.contest;

import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.SplittableRandom;

/** Builds tables with a fake ticker and fixed random seeds. */
final class ContestFixture {
  static final Duration WINDOW = Duration.ofSeconds(10);

  final FakeTicker ticker = new FakeTicker();

  ContestTableBuilder builder(int slots) {
    return ContestTable.builder()
        .slots(slots)
        .window(WINDOW)
        .secret(HashSecret.of(new byte[32]))
        .seeds(new Seeds(1))
        .ticker(ticker::nanos);
  }

  ContestTable table(int slots) {
    return builder(slots).build();
  }

  /** Touches a key the given number of times without advancing the ticker. */
  static void touch(ContestTable table, String key, int times) {
    for (int i = 0; i < times; i++) {
      var unused = table.touch(key);
    }
  }

  static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  static Tracked tracked(TouchResult touched) {
    return (Tracked) touched;
  }

  /** A source of seeds that returns the same seeds in every run. */
  static final class Seeds extends SecureRandom {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Never serialized.
    private final SplittableRandom random;

    Seeds(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    public long nextLong() {
      return random.nextLong();
    }
  }
}
