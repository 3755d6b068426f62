package io.heatshield.store.memory;

import io.heatshield.store.engine.Value;
import org.jspecify.annotations.Nullable;

/** Computes the memory in bytes that entries of a {@link MemoryEngine} take. */
final class EntryCost {
  /*
   * Measured by MemoryFootprintTest, with 12-byte headers and 4-byte references: the entry 48, the
   * headers of two arrays 32, at most two references in the chains 8; and 40 for a Value, which
   * everything but plain bytes without an expiry has.
   */
  static final int ENTRY_BYTES = 88;
  static final int VALUE_BYTES = 40;

  private EntryCost() {}

  static long of(byte[] key, @Nullable Value value) {
    return value == null
        ? 0
        : ENTRY_BYTES + rounded(key.length) + ofContent(HashSegment.content(value));
  }

  static long of(HashSegment.@Nullable Entry entry) {
    return entry == null ? 0 : ENTRY_BYTES + rounded(entry.key.length) + entry.contentBytes();
  }

  /** Returns the cost of an entry's content, without the header of an array. */
  static long ofContent(Object content) {
    return content instanceof byte[] plain
        ? rounded(plain.length)
        : VALUE_BYTES + rounded(((Value) content).weight());
  }

  private static long rounded(long length) {
    return (length + 7) & -8;
  }
}
