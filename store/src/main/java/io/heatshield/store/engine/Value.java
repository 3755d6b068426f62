package io.heatshield.store.engine;

import io.heatshield.redisbloom.Structure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value of a key: bytes with a type and an expiry.
 *
 * <p>The bytes are not copied: they must not be changed. Immutable.
 */
public final class Value {
  /** The type of plain bytes. */
  public static final byte STRING = 0;

  /** The expiry of a value that does not expire. */
  public static final long NEVER = Long.MAX_VALUE;

  static final byte[] NO_BYTES = {};

  private final byte type;
  private final byte[] bytes;
  private final long expiresAt;
  private final @Nullable Structure structure;
  private final long weight;

  Value(byte type, byte[] bytes, long expiresAt, @Nullable Structure structure, long weight) {
    this.type = type;
    this.bytes = bytes;
    this.expiresAt = expiresAt;
    this.structure = structure;
    this.weight = weight;
  }

  /**
   * Returns bytes of a type, as an engine has stored them.
   *
   * @param expiresAt the Unix time in milliseconds at which the value expires, or {@link #NEVER}
   */
  public static Value of(byte type, byte[] bytes, long expiresAt) {
    return new Value(type, bytes, expiresAt, null, bytes.length);
  }

  /** Returns plain bytes that do not expire. */
  public static Value of(byte[] bytes) {
    return of(STRING, bytes, NEVER);
  }

  /** Returns the UTF-8 of a text as plain bytes that do not expire. */
  public static Value of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns {@link #STRING}, or the tag of another type of object, which engines store. */
  public byte type() {
    return type;
  }

  /** Returns the bytes. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the Unix time in milliseconds at which the value expires, or {@link #NEVER}. */
  public long expiresAt() {
    return expiresAt;
  }

  /** Returns the size of the content in bytes when the value was created. */
  public long weight() {
    return weight;
  }

  /** Returns the content if it is an object in memory; the bytes are then empty or older. */
  @Nullable Structure structure() {
    return structure;
  }

  /** Returns other bytes with this type and expiry. */
  public Value with(byte[] other) {
    return of(type, other, expiresAt);
  }

  /** Returns this content with another expiry. */
  public Value until(long otherExpiresAt) {
    return new Value(type, bytes, otherExpiresAt, structure, weight);
  }

  /** Returns this value with its structure, if any, serialized to bytes. */
  Value stored() {
    return structure == null ? this : of(type, structure.toBytes(), expiresAt);
  }

  /** Returns whether another value has the identical structure and the same expiry. */
  @SuppressWarnings("ReferenceEquality")
  boolean isSame(@Nullable Value other) {
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
