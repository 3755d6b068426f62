package io.heatshield.hash;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statistical tests of the fast hash. Secrets and keys are fixed, so every run gives the same
 * numbers; a good function stays far from each limit.
 */
class FastHashStatisticsTest {
  private static final long SEED = 20261115;
  private static final int KEYS = 1 << 18;

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 8, 12, 16, 17, 24, 31, 32, 33, 48, 64, 100})
  void hash_oneInputBitFlipped_flipsEachOutputBitHalfTheTime(int length) {
    var random = new SplittableRandom(SEED);
    int trials = 4_000;

    double worst = 0;
    for (int bit = 0; bit < length * 8; bit += Math.max(1, length / 4)) {
      int[] flips = new int[64];
      KeyHash hash = KeyHash.fast(secret(random));
      for (int trial = 0; trial < trials; trial++) {
        if (trial % 50 == 0) {
          hash = KeyHash.fast(secret(random));
        }
        byte[] key = bytes(random, length);
        long before = hash.hash(key);
        key[bit / 8] ^= (byte) (1 << bit % 8);
        countBits(flips, before ^ hash.hash(key));
      }
      worst = Math.max(worst, worstBit(flips, trials));
    }

    assertThat(worst).as("standard deviations from a half").isLessThan(5.5);
  }

  @ParameterizedTest
  @MethodSource("keySets")
  void hash_keysWithAPattern_hasNoBiasedOutputBit(IntFunction<byte[]> keys) {
    var random = new SplittableRandom(SEED);

    double worst = 0;
    for (int round = 0; round < 4; round++) {
      KeyHash hash = KeyHash.fast(secret(random));
      int[] ones = new int[64];
      int[] changes = new int[64];
      long before = 0;
      for (int i = 0; i < KEYS; i++) {
        long now = hash.hash(keys.apply(i));
        countBits(ones, now);
        countBits(changes, before ^ now);
        before = now;
      }
      worst = Math.max(worst, Math.max(worstBit(ones, KEYS), worstBit(changes, KEYS)));
    }

    assertThat(worst).as("standard deviations from a half").isLessThan(5.5);
  }

  @ParameterizedTest
  @MethodSource("keySets")
  void hash_keysWithAPattern_collidesAsRandomNumbersDo(IntFunction<byte[]> keys) {
    KeyHash hash = KeyHash.fast(secret(new SplittableRandom(SEED)));
    long[] hashes = IntStream.range(0, KEYS).mapToLong(i -> hash.hash(keys.apply(i))).toArray();

    long whole = collisions(hashes, h -> h);
    long upper = collisions(hashes, h -> h >>> 32);
    long lower = collisions(hashes, h -> h & 0xffff_ffffL);
    long middle = collisions(hashes, h -> h >>> 16 & 0xffff_ffffL);

    // In 32 bits, 8 collisions are expected; more than 27 have a probability below 10^-7.
    assertThat(whole).isZero();
    assertThat(Math.max(upper, Math.max(lower, middle))).isLessThanOrEqualTo(27);
  }

  @ParameterizedTest
  @MethodSource("keySets")
  void hash_keysWithAPattern_fillsBucketsEvenly(IntFunction<byte[]> keys) {
    KeyHash hash = KeyHash.fast(secret(new SplittableRandom(SEED + 1)));
    long[] hashes = IntStream.range(0, KEYS).mapToLong(i -> hash.hash(keys.apply(i))).toArray();
    int buckets = 1024;

    double worst = 0;
    for (int shift = 0; shift <= 54; shift += 6) {
      int[] filled = new int[buckets];
      for (long hash64 : hashes) {
        filled[(int) (hash64 >>> shift) & (buckets - 1)]++;
      }
      double expected = (double) KEYS / buckets;
      double chi =
          Arrays.stream(filled).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
      worst = Math.max(worst, (chi - (buckets - 1)) / Math.sqrt(2.0 * (buckets - 1)));
    }

    assertThat(worst).as("standard deviations above even").isLessThan(5.5);
  }

  @Test
  void hash_keysThatCancelALaneOfOneSecret_areSpreadUnderAnother() {
    var random = new SplittableRandom(SEED);
    HashSecret known = secret(random);
    long cancelling = -known.derive(HashSecret.Purpose.FAST_LANE, 0);
    byte[][] keys =
        IntStream.range(0, 1000).mapToObj(i -> words(cancelling, i)).toArray(byte[][]::new);

    KeyHash underKnown = KeyHash.fast(known);
    KeyHash underOther = KeyHash.fast(secret(random));

    assertThat(Arrays.stream(keys).mapToLong(underKnown::hash).distinct()).hasSize(1);
    assertThat(Arrays.stream(keys).mapToLong(underOther::hash).distinct()).hasSize(1000);
    assertThat(Arrays.stream(keys).mapToLong(k -> underOther.hash(k) >>> 54).distinct().count())
        .as("buckets of 1,024 with a key; random keys fill 638, with a deviation of 10")
        .isBetween(588L, 688L);
  }

  @Test
  void hash_collidingKeysOfOneSecret_areSpreadUnderAnother() {
    var random = new SplittableRandom(SEED);
    KeyHash attacked = KeyHash.fast(secret(random));
    KeyHash other = KeyHash.fast(secret(random));
    long bucket = attacked.hash(decimal(0)) >>> 54;
    byte[][] colliding =
        IntStream.range(0, 2 * KEYS)
            .mapToObj(FastHashStatisticsTest::decimal)
            .filter(key -> attacked.hash(key) >>> 54 == bucket)
            .toArray(byte[][]::new);

    long[] otherBuckets =
        Arrays.stream(colliding).mapToLong(key -> other.hash(key) >>> 54).toArray();

    double expected = 1024 * (1 - Math.pow(1 - 1 / 1024.0, colliding.length));
    assertThat(colliding.length).isGreaterThan(400);
    assertThat((double) Arrays.stream(otherBuckets).distinct().count())
        .isBetween(expected - 50, expected + 50);
  }

  static Stream<Named<IntFunction<byte[]>>> keySets() {
    return Stream.of(
        Named.of("decimal text of 24 bytes", FastHashStatisticsTest::decimal),
        Named.of("decimal text of 6 bytes", i -> Arrays.copyOfRange(decimal(i), 18, 24)),
        Named.of("counter in the first word", i -> words(i, 0, 0)),
        Named.of("counter in the last word", i -> words(0, 0, i)),
        Named.of("counter in the upper bits", i -> words(7, (long) i << 46, 7)),
        Named.of("counter in two words", i -> words(i, i, 0, 0)),
        Named.of("counter and its negative", i -> words(i, -i, i, -i)),
        Named.of("counter past the first block", i -> words(1, 2, 3, 4, 5, i)),
        Named.of("few bits set", FastHashStatisticsTest::sparse));
  }

  /** Returns the i-th of the keys of 16 bytes with at most three bits set. */
  private static byte[] sparse(int i) {
    long[] pair = new long[2];
    for (int remaining = i; remaining > 0; remaining /= 129) {
      int bit = remaining % 129;
      if (bit > 0) {
        pair[(bit - 1) / 64] ^= 1L << (bit - 1);
      }
    }
    // Two choices of bits may give the same pair; the number makes the keys different.
    return words(pair[0], pair[1], i);
  }

  private static byte[] decimal(int i) {
    byte[] key = "user:0000000000000000000".getBytes(US_ASCII);
    for (int at = 23, remaining = i; remaining > 0; remaining /= 10) {
      key[at--] = (byte) ('0' + remaining % 10);
    }
    return key;
  }

  private static byte[] words(long... words) {
    ByteBuffer key = ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long word : words) {
      key.putLong(word);
    }
    return key.array();
  }

  private static long collisions(long[] hashes, LongUnaryOperator part) {
    return hashes.length - Arrays.stream(hashes).map(part).distinct().count();
  }

  private static void countBits(int[] counts, long bits) {
    for (int i = 0; i < 64; i++) {
      counts[i] += (int) (bits >>> i & 1);
    }
  }

  private static double worstBit(int[] counts, int trials) {
    return Arrays.stream(counts)
        .mapToDouble(n -> Math.abs(n - trials / 2.0) / Math.sqrt(trials / 4.0))
        .max()
        .orElseThrow();
  }

  private static HashSecret secret(SplittableRandom random) {
    return HashSecret.of(bytes(random, 32));
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
