package io.heatshield.ring;

import io.heatshield.action.WhenFull;

/**
 * The settings of a ring, as {@link HotRingBuilder} has checked them.
 *
 * @param periodNanos the slot of a window or, without a window, the decay interval; 0 for neither
 * @param slots the number of slots of the window, or 0 for no window
 */
record RingConfig(
    int bits,
    int slots,
    long periodNanos,
    int decayShift,
    long rotationNanos,
    int maxKeys,
    long maxBytes,
    int sampleBits,
    ClampPolicy clampPolicy,
    WhenFull whenFull) {

  /*
   * The memory of an entry, with object headers of 12 bytes and references of 4 bytes, the JVM's
   * default below 32 GB of heap: the object, the array of its key, and its share of the cells. A
   * cell has 20 bytes, and a table that has grown has at most 4 cells per entry. Pinned by
   * RingFootprintTest.
   */
  private static final int GENERATION_ENTRY_BYTES = 56;
  private static final int WINDOW_ENTRY_BYTES = 64;
  private static final int ARRAY_HEADER_BYTES = 16;
  private static final int MAX_CELLS_PER_ENTRY = 4;
  private static final int CELL_BYTES = 20;

  /** Returns the most bytes that an entry with a stored key of this length takes. */
  int entryBytes(int storedLength) {
    int entry = slots > 0 ? WINDOW_ENTRY_BYTES : GENERATION_ENTRY_BYTES;
    int wide = slots - 1 > WindowEntry.LANES ? ARRAY_HEADER_BYTES + Long.BYTES * (slots - 1) : 0;
    int key = ARRAY_HEADER_BYTES + ((storedLength + 7) & ~7);
    return entry + wide + key + MAX_CELLS_PER_ENTRY * CELL_BYTES;
  }

  /** Returns the bytes of the cells of a new ring. */
  long initialBytes() {
    return (long) CELL_BYTES << initialBits();
  }

  /**
   * Returns the binary logarithm of the initial number of cells: the setting {@code bits}, but no
   * more than is needed for four cells per entry that the limits allow. In a larger table, the
   * search for the coldest entry would mostly visit empty cells.
   */
  int initialBits() {
    long keys = maxKeys > 0 ? maxKeys * (rotationNanos > 0 ? 2L : 1L) : Integer.MAX_VALUE;
    long maxEntries = maxBytes > 0 ? Math.min(keys, maxBytes / entryBytes(0)) : keys;
    long maxCells = MAX_CELLS_PER_ENTRY * Math.max(maxEntries, 1);
    return Math.min(bits, Long.SIZE - Long.numberOfLeadingZeros(maxCells - 1));
  }
}
