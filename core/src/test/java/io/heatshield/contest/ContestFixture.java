package io.heatshield.contest;

import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.SplittableRandom;

/** Tables whose time and chance are the test's. */
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

  /** Touches a key so often at this moment. */
  static void touch(ContestTable table, String key, int times) {
    for (int i = 0; i < times; i++) {
      var unused = table.touch(key);
    }
  }

  static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  static Tracked tracked(Touched touched) {
    return (Tracked) touched;
  }

  /** A source of seeds that is the same in every run. */
  static final class Seeds extends SecureRandom {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Never stored.
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
