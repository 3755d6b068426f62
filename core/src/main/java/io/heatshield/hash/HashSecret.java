package io.heatshield.hash;

import java.security.SecureRandom;

/**
 * The secret of a {@link KeyHash}: 16 or 32 bytes that are never printed.
 *
 * <p>A process that stores hashes, or structures with hashes, keeps the secret in a file that only
 * this process can read; see {@link #toBytes} and {@link #of}.
 */
public final class HashSecret {
  /*
   * Every number that a function derives from the secret is a SipHash-2-4. Its key is the first
   * half of the secret; its message is a purpose, an index and the second half. So even a secret
   * with little entropy gives lanes without a pattern, a lane reveals nothing about another lane,
   * and a fingerprint reveals nothing about the lanes.
   */
  private static final int HALF = 16;

  private final byte[] bytes;

  private HashSecret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns a new secret of 32 random bytes. */
  public static HashSecret random() {
    byte[] bytes = new byte[2 * HALF];
    new SecureRandom().nextBytes(bytes);
    return new HashSecret(bytes);
  }

  /**
   * Returns the secret with these bytes, which are copied.
   *
   * @throws IllegalArgumentException if the array has neither 16 nor 32 bytes
   */
  public static HashSecret of(byte[] bytes) {
    if (bytes.length != HALF && bytes.length != 2 * HALF) {
      throw new IllegalArgumentException(
          "secret must be 16 or 32 bytes: " + bytes.length + " bytes");
    }
    return new HashSecret(bytes.clone());
  }

  /** Returns a copy of the bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Returns a constant text, which does not contain the secret. */
  @Override
  public String toString() {
    return "HashSecret[hidden]";
  }

  /** Returns whether the secret has the length of a SipHash key. */
  boolean isSipKey() {
    return bytes.length == HALF;
  }

  /** Returns the first or second word of the secret. */
  long word(int index) {
    return Words.at(bytes, index * Long.BYTES);
  }

  /** Derives a number from the secret for a purpose. */
  long derive(Purpose purpose, int index) {
    byte[] message = new byte[2 + bytes.length - HALF];
    message[0] = purpose.code;
    message[1] = (byte) index;
    System.arraycopy(bytes, HALF, message, 2, bytes.length - HALF);
    return SipHash.hash24(word(0), word(1), message);
  }

  /** The purposes of derived numbers; the codes are part of the stored format. */
  enum Purpose {
    FAST_LANE(1),
    FAST_FINGERPRINT(2),
    SIP_KEY(3),
    SIP_FINGERPRINT(4),
    SECOND_LANE(5),
    SECOND_FINGERPRINT(6);

    private final byte code;

    Purpose(int code) {
      this.code = (byte) code;
    }
  }
}
