package io.heatshield.hash;

import java.nio.ByteBuffer;

/**
 * A keyed 64-bit hash of a key, the one number that every counting structure takes.
 *
 * <p>Equal text gives an equal hash in every form: an array, a part of one, a heap or direct
 * buffer, or characters as their UTF-8. Without the {@link HashSecret} nobody can tell which keys
 * collide, and a set of colliding keys built under one secret is an ordinary set under another.
 *
 * <p>A hash function is immutable: any thread may call it. No method allocates.
 */
public interface KeyHash {

  /**
   * Returns the fast function, made for every touch.
   *
   * <p>Two different keys of n bytes collide under a secret drawn at random with a probability of
   * about (1 + n/32) / 2<sup>62</sup>. Its output is not meant to be shown: whoever can read many
   * hashes of keys of his choice may work towards the secret, where SipHash resists.
   */
  static KeyHash fast(HashSecret secret) {
    return new FastHash(secret);
  }

  /**
   * Returns the fast function under lanes of their own, drawn from the same secret.
   *
   * <p>What one of the two functions does with a pair of keys says nothing about the other: two
   * different keys of up to 32 bytes have both hashes in common with a probability of about
   * 2<sup>-124</sup>, so that both together can stand for the key.
   */
  static KeyHash second(HashSecret secret) {
    return new FastHash(
        secret, HashSecret.Purpose.SECOND_LANE, HashSecret.Purpose.SECOND_FINGERPRINT);
  }

  /**
   * Returns SipHash-1-3, a pseudo-random function that also resists whoever sees its output, at
   * several times the cost. A secret of 16 bytes is its key as it stands.
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
   * @throws IndexOutOfBoundsException if the part does not lie inside the array
   */
  long hash(byte[] key, int offset, int length);

  /** Returns the hash of the remaining bytes, and leaves the buffer as it is. */
  long hash(ByteBuffer key);

  /**
   * Returns the hash of the text's UTF-8, in which an unpaired surrogate stands as {@code ?} as
   * {@link String#getBytes(java.nio.charset.Charset)} has it.
   *
   * <p>A {@link String} of ASCII costs little more than its bytes; other text and other sequences
   * are encoded character by character.
   */
  long hash(CharSequence key);

  /**
   * Returns the number that names this function and its secret without revealing it. A stored
   * structure carries it, and is refused under a function with another.
   */
  long fingerprint();
}
