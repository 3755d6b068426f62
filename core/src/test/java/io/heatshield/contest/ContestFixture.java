package io.heatshield.contest;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.testkit.time.FakeTicker;
import io.heatshield.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Builds tables with a fake ticker and fixed random seeds. */
final class ContestFixture {
  static final Duration WINDOW = Duration.ofSeconds(10);
  static final HashSecret SECRET = HashSecret.of(new byte[32]);

  final FakeTicker ticker = new FakeTicker();

  HeavyHittersBuilder builder(int maxKeys) {
    return HeavyHitters.builder()
        .maxKeys(maxKeys)
        .window(WINDOW)
        .secret(SECRET)
        .seeds(new Seeds(1))
        .ticker(ticker::nanos);
  }

  ContestTable table(int slots) {
    return table(builder(slots));
  }

  /** Returns the table of keys of a builder, with the secret of this fixture. */
  static ContestTable table(HeavyHittersBuilder builder) {
    return table(builder, entry -> {});
  }

  static ContestTable table(HeavyHittersBuilder builder, Consumer<Tracked> onEvicted) {
    return builder.keys(SECRET, onEvicted);
  }

  /** Touches a key the given number of times without advancing the ticker. */
  static void touch(ContestTable table, String key, int times) {
    for (int i = 0; i < times; i++) {
      var unused = touch(table, key);
    }
  }

  static @Nullable Tracked touch(ContestTable table, String key) {
    return weigh(table, key, 1);
  }

  static @Nullable Tracked touch(ContestTable table, byte[] key) {
    return table.touch(KeyForm.BYTES, key, table.hash().hash(key), 1);
  }

  static @Nullable Tracked find(ContestTable table, byte[] key) {
    return table.find(KeyForm.BYTES, key, table.hash().hash(key));
  }

  /** Touches a key with a weight. */
  static @Nullable Tracked weigh(ContestTable table, String key, long weight) {
    return table.touch(KeyForm.TEXT, key, table.hash().hash(key), weight);
  }

  static @Nullable Tracked find(ContestTable table, String key) {
    return table.find(KeyForm.TEXT, key, table.hash().hash(key));
  }

  static @Nullable Tracked remove(ContestTable table, String key) {
    return table.remove(KeyForm.TEXT, key, table.hash().hash(key));
  }

  static BlockTable blocks(int capacity, Ticker ticker) {
    return new BlockTable(capacity, KeyHash.fast(SECRET), KeyHash.sip13(SECRET), ticker);
  }

  static BlockOutcome block(BlockTable table, String key, Duration time, int tag) {
    return table.block(KeyForm.TEXT, key, KeyHash.fast(SECRET).hash(key), time, tag);
  }

  static @Nullable BlockedKey findBlock(BlockTable table, String key) {
    return table.find(KeyForm.TEXT, key, KeyHash.fast(SECRET).hash(key));
  }

  static boolean lift(BlockTable table, String key) {
    return table.lift(KeyForm.TEXT, key, KeyHash.fast(SECRET).hash(key));
  }

  static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  static Tracked tracked(@Nullable Tracked entry) {
    return Objects.requireNonNull(entry);
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
