package io.heatshield.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * The secret that a {@link KeyHash} is keyed with: 16 or 32 bytes that never appear in text.
 *
 * <p>A process that stores hashes, or structures counted by them, keeps its secret in a file that
 * only it can read; {@link #toBytes} and {@link #of} carry it there and back.
 */
public final class HashSecret {
  /*
   * Every number that a function takes from the secret is SipHash-2-4, keyed with the first half,
   * of a purpose, an index and the second half. So a secret with little in it still gives lanes
   * without pattern, one lane tells nothing about another, and a fingerprint tells nothing about
   * the lanes.
   */
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int HALF = 16;

  private final byte[] bytes;

  private HashSecret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns a new secret of 32 bytes from the system's secure source. */
  public static HashSecret random() {
    byte[] bytes = new byte[2 * HALF];
    new SecureRandom().nextBytes(bytes);
    return new HashSecret(bytes);
  }

  /**
   * Returns the secret with these bytes, which are copied.
   *
   * @throws IllegalArgumentException if they are neither 16 nor 32
   */
  public static HashSecret of(byte[] bytes) {
    if (bytes.length != HALF && bytes.length != 2 * HALF) {
      throw new IllegalArgumentException(
          "secret must be 16 or 32 bytes: " + bytes.length + " bytes");
    }
    return new HashSecret(bytes.clone());
  }

  /** Returns a copy of the bytes, for the file that keeps them. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Returns a fixed text: a secret is never shown. */
  @Override
  public String toString() {
    return "HashSecret[hidden]";
  }

  /** Returns whether the secret is a SipHash key as it stands. */
  boolean isSipKey() {
    return bytes.length == HALF;
  }

  /** Returns the first or second word of the secret. */
  long word(int index) {
    return (long) LONG.get(bytes, index * Long.BYTES);
  }

  /** Returns the number that a function takes from the secret for a purpose. */
  long derive(Purpose purpose, int index) {
    byte[] message = new byte[2 + bytes.length - HALF];
    message[0] = purpose.code;
    message[1] = (byte) index;
    System.arraycopy(bytes, HALF, message, 2, bytes.length - HALF);
    return SipHash.hash(word(0), word(1), 2, 4, message, 0, message.length);
  }

  /** What a number is derived for; the codes are part of the stored format. */
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
