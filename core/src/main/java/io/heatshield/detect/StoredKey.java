package io.heatshield.detect;

import io.heatshield.hash.SeaHash;
import io.heatshield.key.KeyText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A key as a table keeps it: whole, or as its beginning, its length and a hash of 128 bits.
 *
 * <p>Two stored keys are equal when length, hash and beginning are: for keys that are not whole,
 * equal but for a chance of about 2<sup>-64</sup> that only the keyed half of the hash keeps from
 * being aimed at.
 */
public final class StoredKey {
  /** The most bytes of a key that are kept. */
  public static final int MAX_BYTES = 512;

  private final byte[] start;
  private final int length;
  private final long keyedHash;
  private final long seaHash;

  private StoredKey(byte[] start, int length, long keyedHash, long seaHash) {
    this.start = start;
    this.length = length;
    this.keyedHash = keyedHash;
    this.seaHash = seaHash;
  }

  /** Copies at most {@code most} bytes of a key given as an array, a buffer or characters. */
  static StoredKey copyOf(Object key, long keyedHash, int most) {
    byte[] bytes = bytesOf(key);
    int kept = Math.min(bytes.length, Math.min(most, MAX_BYTES));
    byte[] start =
        key instanceof byte[] || kept < bytes.length ? Arrays.copyOf(bytes, kept) : bytes;
    return new StoredKey(start, bytes.length, keyedHash, SeaHash.hash(bytes));
  }

  /**
   * Returns a key that another process kept and told by its parts.
   *
   * @param start its bytes, or the first of them, at most {@value #MAX_BYTES}
   * @param length how many bytes it has in all
   * @param keyedHash the hash it is counted by
   * @param seaHash the hash it is named by
   */
  public static StoredKey of(byte[] start, int length, long keyedHash, long seaHash) {
    if (start.length > MAX_BYTES || start.length > length) {
      throw new IllegalArgumentException(
          "start must be at most " + MAX_BYTES + " bytes and the length: " + start.length);
    }
    return new StoredKey(start.clone(), length, keyedHash, seaHash);
  }

  /** Returns the bytes of a key given as an array, which is not copied, a buffer or characters. */
  static byte[] bytesOf(Object key) {
    if (key instanceof byte[] bytes) {
      return bytes;
    }
    if (key instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(buffer.position(), bytes);
      return bytes;
    }
    return key.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a copy of the bytes that are kept. */
  public byte[] bytes() {
    return start.clone();
  }

  /** Returns the length of the key in bytes. */
  public int length() {
    return length;
  }

  /** Returns whether all bytes of the key are kept. */
  public boolean isWhole() {
    return start.length == length;
  }

  /** Returns the hash that the key is counted by. */
  public long keyedHash() {
    return keyedHash;
  }

  /** Returns the hash that names the key in labels, as {@link #label} has it. */
  public long seaHash() {
    return seaHash;
  }

  /** Returns the 16 hexadecimal digits that name the key in labels. */
  public String label() {
    String hex = Long.toHexString(seaHash);
    return "0".repeat(16 - hex.length()) + hex;
  }

  /** Returns this key with at most so many bytes kept. */
  StoredKey cutTo(int most) {
    return new StoredKey(
        Arrays.copyOf(start, Math.min(start.length, most)), length, keyedHash, seaHash);
  }

  int keptBytes() {
    return start.length;
  }

  /** Returns whether this key, whole, begins with the given bytes. */
  boolean startsWith(StoredKey prefix) {
    return prefix.start.length <= start.length
        && Arrays.equals(start, 0, prefix.start.length, prefix.start, 0, prefix.start.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredKey that
        && length == that.length
        && keyedHash == that.keyedHash
        && seaHash == that.seaHash;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(keyedHash);
  }

  /** Returns the printable form, with the length and the label of a key that is not whole. */
  @Override
  public String toString() {
    String text = KeyText.of(start);
    return isWhole() ? text : text + "\\...(" + length + " bytes, " + label() + ")";
  }
}
