package io.heatshield.ring;

import io.heatshield.key.KeyForm;
import io.heatshield.key.KeyText;
import java.util.Arrays;
import java.util.Comparator;

/** A key with its scope, and its count at the time of a snapshot or event. */
public final class KeyCount {
  /** Orders by descending count, then by the key's unsigned bytes, then by scope. */
  static final Comparator<KeyCount> HOTTEST_FIRST =
      Comparator.comparingLong(KeyCount::count)
          .reversed()
          .thenComparing((a, b) -> Arrays.compareUnsigned(a.stored, b.stored))
          .thenComparingInt(k -> k.scope & 0xff);

  private final byte scope;
  private final byte[] stored;
  private final long count;

  private KeyCount(byte scope, byte[] stored, long count) {
    this.scope = scope;
    this.stored = stored;
    this.count = count;
  }

  static KeyCount of(Entry entry, long count) {
    return new KeyCount(entry.scope, entry.key, count);
  }

  /** Returns the scope. */
  public byte scope() {
    return scope;
  }

  /** Returns a copy of the key's bytes, at most the first 512. */
  public byte[] key() {
    return KeyForm.visible(stored);
  }

  /** Returns the length of the whole key in bytes. */
  public int length() {
    return KeyForm.fullLength(stored);
  }

  /** Returns the count. */
  public long count() {
    return count;
  }

  /** Returns the printable form of the key, its scope and its count. */
  @Override
  public String toString() {
    return KeyText.of(key()) + "@" + (scope & 0xff) + "=" + count;
  }
}
