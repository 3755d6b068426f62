package io.heatshield.ring;

/**
 * The settings of a ring after {@link HotRingBuilder} found no fault with them.
 *
 * @param periodNanos the slot of a window or, without one, the decay interval; 0 for neither
 * @param slots 0 for no window
 */
record RingConfig(
    int bits,
    int top,
    int slots,
    long periodNanos,
    int decayShift,
    long rotationNanos,
    int cap,
    long capBytes,
    int sampleBits,
    ClampPolicy policy) {

  /*
   * What an entry weighs with 12-byte headers and 4-byte references, the JVM's default below 32 GB of heap: the object,
   * its key as an array, and its share of cells, of which there are at most 4 for each entry once a table has grown, 20
   * bytes each. RingFootprintTest measures all three.
   */
  private static final int GENERATION = 56;
  private static final int WINDOW = 64;
  private static final int ARRAY = 16;
  private static final int CELLS = 80;

  /** Returns the bytes that an entry with a stored key of this length takes at most. */
  int footprint(int storedLength) {
    int entry = slots > 0 ? WINDOW : GENERATION;
    int wide = slots - 1 > WindowEntry.LANES ? ARRAY + Long.BYTES * (slots - 1) : 0;
    return entry + wide + ARRAY + ((storedLength + 7) & ~7) + CELLS;
  }

  /**
   * Returns the bits of the cells to start with: as asked, but no more than four cells for each
   * entry that there can be. In a wider table, who looks for the coldest would mostly find nobody.
   */
  int startBits() {
    long keys = cap > 0 ? cap * (rotationNanos > 0 ? 2L : 1L) : Integer.MAX_VALUE;
    long most = capBytes > 0 ? Math.min(keys, capBytes / footprint(0)) : keys;
    int enough = Long.SIZE - Long.numberOfLeadingZeros(4 * Math.max(most, 1) - 1);
    return Math.min(bits, enough);
  }
}
