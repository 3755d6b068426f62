package io.heatshield.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a key holds: bytes, what kind of thing they are, and when they end.
 *
 * <p>The bytes are not copied, neither on the way in nor out: whoever made them or got them leaves
 * them as they are.
 *
 * @param type {@link #STRING}, or the tag of another kind of object, which only its owner reads
 * @param bytes the content
 * @param expiresAt the Unix time in milliseconds from which the value is no more, or {@link #NEVER}
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by content below.
public record Value(byte type, byte[] bytes, long expiresAt) {
  /** The type of plain bytes. */
  public static final byte STRING = 0;

  /** The end of a value that has none. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Returns plain bytes without an end. */
  public static Value of(byte[] bytes) {
    return new Value(STRING, bytes, NEVER);
  }

  /** Returns plain bytes, the UTF-8 of a text, without an end. */
  public static Value of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns this type and end with other bytes. */
  public Value with(byte[] other) {
    return new Value(type, other, expiresAt);
  }

  /** Returns this content with another end. */
  public Value until(long otherExpiresAt) {
    return new Value(type, bytes, otherExpiresAt);
  }

  /** Returns whether the value is no more at this Unix time in milliseconds. */
  public boolean isExpired(long nowMillis) {
    return expiresAt <= nowMillis;
  }

  /** Returns whether the value has an end. */
  public boolean expires() {
    return expiresAt != NEVER;
  }

  /** Returns the bytes as UTF-8 text. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Value that
        && type == that.type
        && expiresAt == that.expiresAt
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return (31 * ((31 * Arrays.hashCode(bytes)) + type)) + Long.hashCode(expiresAt);
  }

  /** Returns the size and the end; never the content. */
  @Override
  public String toString() {
    return bytes.length + " bytes of type " + type + (expires() ? " until " + expiresAt : "");
  }
}
