package io.heatshield.contest;

import io.heatshield.key.KeyForm;

/** What a slot of a table takes, by the layout of objects on a 64-bit JVM with short references. */
final class SlotBytes {
  /** The slot's reference and mark, its cells in the index at the least load, and its entry. */
  private static final int ENTRY = 4 + 4 + 4 * 4 + 80;

  private static final int ARRAY = 16;

  private SlotBytes() {}

  static long of(int keyLength, ContestConfig config) {
    int stored = keyLength <= KeyForm.MAX_BYTES ? keyLength : KeyForm.FOLDED_BYTES;
    Cardinality cardinality = config.cardinality();
    return ENTRY
        + array(stored)
        + (cardinality == null ? 0 : array((long) cardinality.words() * Long.BYTES))
        + (config.buckets().words() == 1 ? 0 : array((long) config.buckets().words() * Long.BYTES))
        + RefusedScores.bytes(1);
  }

  private static long array(long bytes) {
    return ARRAY + (bytes + 7) / 8 * 8;
  }
}
