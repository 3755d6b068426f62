package io.heatshield.detect;

import io.heatshield.hash.SeaHash;
import io.heatshield.key.KeyText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A key in a table: the whole key, or its first bytes, its length and a hash of 128 bits.
 *
 * <p>Two stored keys are equal if their lengths and hashes are. Two different keys are equal with a
 * probability of about 2<sup>-64</sup>; the keyed half of the hash keeps attackers from choosing
 * such keys.
 */
public final class StoredKey {
  /** The most bytes of a key that are stored. */
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

  /** Copies at most {@code maxBytes} bytes of a key, which is an array, a buffer or text. */
  static StoredKey copyOf(Object key, long keyedHash, int maxBytes) {
    byte[] bytes = bytesOf(key);
    int kept = Math.min(bytes.length, Math.min(maxBytes, MAX_BYTES));
    byte[] start =
        key instanceof byte[] || kept < bytes.length ? Arrays.copyOf(bytes, kept) : bytes;
    return new StoredKey(start, bytes.length, keyedHash, SeaHash.hash(bytes));
  }

  /**
   * Returns a stored key of another process from its parts.
   *
   * @param start its bytes, or the first of them, at most {@value #MAX_BYTES}
   * @param length the length of the whole key
   * @param keyedHash the hash that it is counted by
   * @param seaHash the hash of its label
   */
  public static StoredKey of(byte[] start, int length, long keyedHash, long seaHash) {
    if (start.length > MAX_BYTES || start.length > length) {
      throw new IllegalArgumentException(
          "start must be at most " + MAX_BYTES + " bytes and at most the length: " + start.length);
    }
    return new StoredKey(start.clone(), length, keyedHash, seaHash);
  }

  /** Returns the bytes of a key, which is an array (not copied), a buffer or text. */
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

  /** Returns a copy of the stored bytes. */
  public byte[] bytes() {
    return start.clone();
  }

  /** Returns the length of the key in bytes. */
  public int length() {
    return length;
  }

  /** Returns whether all bytes of the key are stored. */
  public boolean isWhole() {
    return start.length == length;
  }

  /** Returns the hash that the key is counted by. */
  public long keyedHash() {
    return keyedHash;
  }

  /** Returns the hash of the key's {@link #label}. */
  public long seaHash() {
    return seaHash;
  }

  /** Returns the 16 hexadecimal digits that identify the key in metric labels. */
  public String label() {
    return HexFormat.of().toHexDigits(seaHash);
  }

  /** Returns this key with at most {@code maxBytes} stored bytes. */
  StoredKey truncatedTo(int maxBytes) {
    return new StoredKey(
        Arrays.copyOf(start, Math.min(start.length, maxBytes)), length, keyedHash, seaHash);
  }

  int keptBytes() {
    return start.length;
  }

  /** Returns whether this key begins with the bytes of another, which is whole. */
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
