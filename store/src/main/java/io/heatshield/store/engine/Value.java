package io.heatshield.store.engine;

import io.heatshield.redisbloom.Structure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value of a key: bytes or a structure, with a type and an expiry.
 *
 * <p>The bytes are not copied: they must not be changed.
 *
 * @param type {@link #STRING}, or the tag of another type of object
 * @param bytes the content; for a structure the bytes that it was parsed from, or empty
 * @param expiresAt the Unix time in milliseconds at which the value expires, or {@link #NEVER}
 * @param structure the content, if it is a structure
 * @param weight the size of the content in bytes when the value was created
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by content below.
public record Value(
    byte type, byte[] bytes, long expiresAt, @Nullable Structure structure, long weight) {
  /** The type of plain bytes. */
  public static final byte STRING = 0;

  /** The expiry of a value that does not expire. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final byte[] NO_BYTES = {};

  /** Creates a value of bytes. */
  public Value(byte type, byte[] bytes, long expiresAt) {
    this(type, bytes, expiresAt, null, bytes.length);
  }

  /** Returns a structure that does not expire. */
  public static Value of(byte type, Structure structure) {
    return new Value(type, NO_BYTES, NEVER, structure, structure.bytes());
  }

  /** Returns plain bytes that do not expire. */
  public static Value of(byte[] bytes) {
    return new Value(STRING, bytes, NEVER);
  }

  /** Returns the UTF-8 of a text as plain bytes that do not expire. */
  public static Value of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns other bytes with this type and expiry. */
  public Value with(byte[] other) {
    return new Value(type, other, expiresAt);
  }

  /** Returns this content with another expiry. */
  public Value until(long otherExpiresAt) {
    return new Value(type, bytes, otherExpiresAt, structure, weight);
  }

  /**
   * Returns a structure, perhaps the same one, in its current size with this value's other parts.
   */
  public Value with(Structure other) {
    return new Value(type, bytes, expiresAt, other, other.bytes());
  }

  /** Returns this value with its structure, if any, serialized to bytes. */
  public Value stored() {
    return structure == null ? this : new Value(type, structure.toBytes(), expiresAt);
  }

  /** Returns whether another value has the identical structure and the same expiry. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isSame(@Nullable Value other) {
    return other != null
        && structure != null
        && structure == other.structure
        && expiresAt == other.expiresAt;
  }

  /** Returns whether the value has expired at a Unix time in milliseconds. */
  public boolean isExpired(long nowMillis) {
    return expiresAt <= nowMillis;
  }

  /** Returns whether the value has an expiry. */
  public boolean expires() {
    return expiresAt != NEVER;
  }

  /** Returns the bytes as UTF-8 text. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // A structure is mutable: it equals only itself.
  public boolean equals(@Nullable Object other) {
    return other instanceof Value that
        && type == that.type
        && expiresAt == that.expiresAt
        && structure == that.structure
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return (31 * ((31 * Arrays.hashCode(bytes)) + type)) + Long.hashCode(expiresAt);
  }

  /** Returns the size and the expiry; never the content. */
  @Override
  public String toString() {
    return weight + " bytes of type " + type + (expires() ? " until " + expiresAt : "");
  }
}
