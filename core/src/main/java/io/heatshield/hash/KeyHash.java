package io.heatshield.hash;

import java.nio.ByteBuffer;

/**
 * A keyed 64-bit hash function of keys. Every counting structure identifies a key by its hash.
 *
 * <p>Equal bytes have the same hash in every form: an array, a part of an array, a heap or direct
 * buffer, text as its UTF-8, or a number as its decimal digits. Without the {@link HashSecret} it
 * is not possible to predict which keys collide, and keys that collide under one secret are
 * unrelated under another.
 *
 * <p>A hash function is immutable and safe for use by any thread. No method allocates memory.
 */
public interface KeyHash {

  /**
   * Returns the fast function, which every touch uses.
   *
   * <p>Two different keys of n bytes collide under a secret drawn at random with a probability of
   * about (1 + n/32) / 2<sup>62</sup>. Its output must not be disclosed: an attacker who sees the
   * hashes of many chosen keys may be able to derive the secret. SipHash resists that.
   */
  static KeyHash fast(HashSecret secret) {
    return new FastHash(secret);
  }

  /**
   * Returns the fast function with other lanes, which are also derived from the secret but
   * independent.
   *
   * <p>Two different keys of up to 32 bytes have both this hash and that of {@link #fast} in common
   * with a probability of about 2<sup>-124</sup>, so both hashes together can identify a key.
   */
  static KeyHash second(HashSecret secret) {
    return new FastHash(
        secret, HashSecret.Purpose.SECOND_LANE, HashSecret.Purpose.SECOND_FINGERPRINT);
  }

  /**
   * Returns SipHash-1-3, a pseudo-random function that is safe even if its output is disclosed, at
   * several times the cost. A secret of 16 bytes is used unchanged as its key.
   */
  static KeyHash sip13(HashSecret secret) {
    return new SipHash(secret, 1, 3);
  }

  /** Returns the hash of the whole array. */
  default long hash(byte[] key) {
    return hash(key, 0, key.length);
  }

  /**
   * Returns the hash of a part of the array.
   *
   * @throws IndexOutOfBoundsException if the part is not within the array
   */
  long hash(byte[] key, int offset, int length);

  /** Returns the hash of the remaining bytes; does not change the buffer. */
  long hash(ByteBuffer key);

  /**
   * Returns the hash of the text's UTF-8, with {@code ?} for an unpaired surrogate as in {@link
   * String#getBytes(java.nio.charset.Charset)}.
   *
   * <p>A {@link String} of ASCII is read eight characters at a time; other text is encoded
   * character by character.
   */
  long hash(CharSequence key);

  /** Returns the hash of the number's decimal digits, which is that of {@link Long#toString()}. */
  long hash(long key);

  /**
   * Returns a number that identifies this function and its secret without revealing the secret. A
   * stored structure contains it, so that it is not restored with another function or secret.
   */
  long fingerprint();
}
