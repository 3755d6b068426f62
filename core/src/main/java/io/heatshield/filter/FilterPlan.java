package io.heatshield.filter;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a filter, and the dimensions of its tables that follow from them.
 *
 * @param rate target false positive rate of all sub-filters together
 * @param bits configured fingerprint bits, or 0 to derive them from the rate
 * @param bucketSize slots per bucket
 * @param maxEvictions limit of a search for an empty slot; see {@link EvictionPath}
 * @param maxCopies maximum number of copies of one key
 * @param growth action of a full filter
 * @param listener decides under memory pressure
 */
record FilterPlan(
    double rate,
    int bits,
    int bucketSize,
    int maxEvictions,
    int maxCopies,
    Growth growth,
    Pressure.Listener listener) {

  static final int MAX_EVICTIONS = 1 << 20;

  /**
   * Returns the fingerprint bits of a sub-filter. The first sub-filter of a chain gets half of the
   * target rate, and each further one half of the previous rate, so the sum stays below the target.
   */
  int bitsOf(int subFilter) {
    if (bits != 0) {
      return bits + subFilter;
    }
    double share = growth == Growth.CHAIN ? Math.scalb(rate, -1 - subFilter) : rate;
    return Geometry.bitsFor(share, bucketSize);
  }

  Geometry geometry(long items, int fingerprintBits) {
    return Geometry.of(
        fingerprintBits, bucketSize, Geometry.buckets(items, bucketSize, fingerprintBits));
  }

  CuckooTable table(Geometry geometry) {
    return new CuckooTable(geometry, maxEvictions);
  }

  long bytes(Geometry geometry) {
    return CuckooTable.bytes(geometry, maxEvictions);
  }

  /** Returns the dimensions of the next sub-filter, or null if they would be too large. */
  @Nullable Geometry nextGeometry(CuckooTable... tables) {
    long items = 0;
    for (CuckooTable table : tables) {
      items += table.capacity();
    }
    int bits = bitsOf(tables.length);
    return bits > Geometry.MAX_BITS || items > Geometry.MAX_ITEMS ? null : geometry(items, bits);
  }

  /** Returns dimensions with shorter fingerprints, which keep at least their prefix. */
  static Geometry shortened(Geometry geometry, int dropped) {
    return geometry.withBits(Math.max(geometry.pairBits(), geometry.bits() - dropped));
  }

  /** Returns the memory of the tables and the next one, if fingerprints lose some bits. */
  long bytes(CuckooTable[] tables, @Nullable Geometry next, int dropped) {
    long bytes = next == null ? 0 : bytes(shortened(next, dropped));
    for (CuckooTable table : tables) {
      bytes += bytes(shortened(table.geometry(), dropped));
    }
    return bytes;
  }

  /** Returns the number of bits to drop to fit into the budget, or -1 if that is impossible. */
  int bitsToDrop(CuckooTable[] tables, @Nullable Geometry next, long budget) {
    for (int dropped = 0; dropped < Geometry.MAX_BITS; dropped++) {
      if (bytes(tables, next, dropped) <= budget) {
        return dropped;
      }
    }
    return -1;
  }

  /** Returns the memory pressure of these tables and the next one. */
  Pressure pressure(
      Pressure.Cause cause,
      CuckooTable[] tables,
      @Nullable Geometry next,
      long rebuildBytes,
      long budget) {
    int bits = next == null ? 0 : next.bits();
    for (CuckooTable table : tables) {
      bits = Math.max(bits, table.geometry().bits());
    }
    // A lower budget aborts a running rebuild if both do not fit.
    long available = cause == Pressure.Cause.LOWER_MAX_BYTES ? budget : budget - rebuildBytes;
    int dropped = bitsToDrop(tables, next, available);
    double rate = next == null || dropped < 0 ? 0 : shortened(next, dropped).plannedRate();
    for (CuckooTable table : tables) {
      rate += dropped < 0 ? 1 : shortened(table.geometry(), dropped).plannedRate();
    }
    return new Pressure(
        cause,
        budget,
        bytes(tables, null, 0) + rebuildBytes,
        bytes(tables, next, 0) + rebuildBytes,
        bits,
        dropped < 0 ? 0 : bits - dropped,
        Math.min(1, rate));
  }
}
