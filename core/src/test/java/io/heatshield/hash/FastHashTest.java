package io.heatshield.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FastHashTest {
  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);

  private static final HashSecret SECRET = HashSecret.of(consecutiveBytes(32));

  /** Hashes are part of stored formats, so these vectors must not change. */
  @ParameterizedTest
  @CsvSource({
    "0, 459d5859f1979ef8",
    "1, ed7a70839044998f",
    "7, 8f081bca697a2b5d",
    "8, fe190d5197d3a9ec",
    "16, 453000745d74b8af",
    "17, 1f9fa750a18c4bb3",
    "24, 4af37d3abacf8ee0",
    "32, 28832fd314fb063f",
    "33, 3941c65eded4b890",
    "64, 635c1dc7b6130163",
    "65, 6b7b68fd2334cd4d",
    "200, f0066157d784df0",
  })
  void hash_consecutiveBytes_isTheVector(int length, String digits) {
    long hash = KeyHash.fast(SECRET).hash(consecutiveBytes(length));

    assertThat(Long.toHexString(hash)).isEqualTo(digits);
  }

  @Test
  void fingerprint_knownSecret_isTheVector() {
    assertThat(Long.toHexString(KeyHash.fast(SECRET).fingerprint())).isEqualTo("85cec5d5348182d9");
    assertThat(Long.toHexString(KeyHash.sip13(SECRET).fingerprint())).isEqualTo("762e6be3a0e40a38");
  }

  @Test
  void hash_allLengths_isThatOfTheDefinition() {
    KeyHash fast = KeyHash.fast(SECRET);

    for (int length = 0; length <= 130; length++) {
      byte[] key = consecutiveBytes(length);
      for (int i = 0; i < length; i++) {
        key[i] *= (byte) 197;
      }

      assertThat(fast.hash(key)).as("%d bytes", length).isEqualTo(byDefinition(key));
    }
  }

  @Test
  void hash_partOutsideTheArray_throws() {
    KeyHash fast = KeyHash.fast(SECRET);

    assertThatThrownBy(() -> fast.hash(new byte[8], 4, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> fast.hash(new byte[8], -1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** Computes the definition in the design block with numbers of unlimited size. */
  private static long byDefinition(byte[] key) {
    BigInteger[] s =
        IntStream.range(0, 8)
            .mapToObj(i -> unsigned(SECRET.derive(HashSecret.Purpose.FAST_LANE, i)))
            .toArray(BigInteger[]::new);
    BigInteger lo = BigInteger.ZERO;
    BigInteger hi = BigInteger.ZERO;
    for (int at = 0; at < key.length; at += 16) {
      int lane = at % 32 / 8;
      if (lane == 0 && at > 0) {
        lo = fold(lo.mod(WORD).xor(s[6]), hi.mod(WORD).xor(s[7]));
        hi = BigInteger.ZERO;
      }
      BigInteger product =
          signed(wordAt(key, at).add(s[lane]))
              .multiply(signed(wordAt(key, at + 8).add(s[lane + 1])));
      lo = lo.add(product.mod(WORD));
      hi = hi.add(product.shiftRight(64));
    }
    return fold(lo.add(BigInteger.valueOf(key.length)).mod(WORD).xor(s[4]), hi.mod(WORD).xor(s[5]))
        .longValue();
  }

  private static BigInteger fold(BigInteger x, BigInteger y) {
    BigInteger product = signed(x).multiply(signed(y));
    return product.mod(WORD).xor(product.shiftRight(64).mod(WORD));
  }

  private static BigInteger wordAt(byte[] key, int at) {
    BigInteger word = BigInteger.ZERO;
    for (int i = Math.min(at + 8, key.length) - 1; i >= at; i--) {
      word = word.shiftLeft(8).add(BigInteger.valueOf(key[i] & 0xff));
    }
    return word;
  }

  private static BigInteger signed(BigInteger word) {
    return BigInteger.valueOf(word.longValue());
  }

  private static BigInteger unsigned(long word) {
    return BigInteger.valueOf(word).mod(WORD);
  }

  private static byte[] consecutiveBytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
