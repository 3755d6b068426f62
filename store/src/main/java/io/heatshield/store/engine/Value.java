package io.heatshield.store.engine;

import io.heatshield.redisbloom.Structure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a key holds: bytes or a structure, what kind of thing that is, and when it ends.
 *
 * <p>The bytes are not copied, neither on the way in nor out: whoever made them or got them leaves
 * them as they are.
 *
 * @param type {@link #STRING}, or the tag of another kind of object, which only its owner reads
 * @param bytes the content; of a structure the form that it was read from, or none
 * @param expiresAt the Unix time in milliseconds from which the value is no more, or {@link #NEVER}
 * @param structure the content, if it is a structure
 * @param weight the bytes that the content took when the value was made
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by content below.
public record Value(
    byte type, byte[] bytes, long expiresAt, @Nullable Structure structure, long weight) {
  /** The type of plain bytes. */
  public static final byte STRING = 0;

  /** The end of a value that has none. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final byte[] NO_BYTES = {};

  /** Creates a value of bytes. */
  public Value(byte type, byte[] bytes, long expiresAt) {
    this(type, bytes, expiresAt, null, bytes.length);
  }

  /** Returns a structure without an end. */
  public static Value of(byte type, Structure structure) {
    return new Value(type, NO_BYTES, NEVER, structure, structure.bytes());
  }

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
    return new Value(type, bytes, otherExpiresAt, structure, weight);
  }

  /**
   * Returns this end with a structure in its present weight, perhaps the same one, of this type.
   */
  public Value with(Structure other) {
    return new Value(type, bytes, expiresAt, other, other.bytes());
  }

  /** Returns these bytes as the form of a structure that was read from them. */
  public Value readAs(Structure read) {
    return new Value(type, bytes, expiresAt, read, read.bytes());
  }

  /** Returns this structure's stored form as plain bytes of its type. */
  public Value stored() {
    return structure == null ? this : new Value(type, structure.toBytes(), expiresAt);
  }

  /** Returns whether another value holds the very same structure until the same end. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isSame(@Nullable Value other) {
    return other != null
        && structure != null
        && structure == other.structure
        && expiresAt == other.expiresAt;
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
  @SuppressWarnings("ReferenceEquality") // A structure changes: it equals only itself.
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

  /** Returns the size and the end; never the content. */
  @Override
  public String toString() {
    return weight + " bytes of type " + type + (expires() ? " until " + expiresAt : "");
  }
}
