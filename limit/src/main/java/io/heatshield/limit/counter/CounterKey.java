package io.heatshield.limit.counter;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of a counter: bytes that no other descriptor, domain, unit or algorithm shares.
 *
 * <p>The bytes are the same in every process, so backends may store them; the hash is not, as it is
 * keyed. Immutable.
 */
public final class CounterKey {
  /*
   * Most names differ from others of their rule in the last value alone: it stays a string until
   * somebody asks for the bytes, and what stands before it is one array for all counters of a rule.
   * Whether a name has this form follows from the name, so two in different forms are never equal.
   */
  private final byte[] text;
  private final @Nullable String value;
  private final long hash;

  /**
   * Takes a name from who wrote it.
   *
   * @param text never changed again
   * @param value what follows the text as its last, or null
   */
  CounterKey(byte[] text, @Nullable String value, long hash) {
    this.text = text;
    this.value = value;
    this.hash = hash;
  }

  /** Returns a copy of the bytes. */
  public byte[] toByteArray() {
    byte[] bytes = Arrays.copyOf(text, length());
    if (value != null) {
      int unused = CounterKeys.write(value, ':', bytes, text.length);
    }
    return bytes;
  }

  /** Returns the number of bytes, at most {@value CounterKeys#MAX_BYTES}. */
  public int length() {
    return text.length + (value == null ? 0 : CounterKeys.size(value));
  }

  /** Returns the hash of the name under the secret of this process, for sketches. */
  public long hash() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CounterKey key
        && hash == key.hash
        && Objects.equals(value, key.value)
        && Arrays.equals(text, key.text);
  }

  @Override
  public int hashCode() {
    return (int) (hash ^ (hash >>> 32));
  }
}
