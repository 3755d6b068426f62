package io.heatshield.filter;

import org.jspecify.annotations.Nullable;

/**
 * What a filter was asked to be, and what follows for its tables, one or a chain, under a budget.
 *
 * @param rate target of the false positive rate, over all sub-filters
 * @param bits fingerprint bits given by hand, or 0
 * @param bucketSize slots of a bucket
 * @param maxEvictions buckets that a search for room may look at
 * @param maxCopies how often one key may be added
 * @param growth what to do when full
 * @param listener who decides under pressure
 */
record FilterPlan(
    double rate,
    int bits,
    int bucketSize,
    int maxEvictions,
    int maxCopies,
    Growth growth,
    Pressure.Listener listener) {

  /**
   * Returns the bits of the n-th sub-filter. In a chain, the first may take half of the target rate
   * and each next one half of what the one before may, so the sum never reaches the target.
   */
  int bitsOf(int subFilter) {
    if (bits != 0) {
      return bits + subFilter;
    }
    double share = growth == Growth.CHAIN ? Math.scalb(rate, -1 - subFilter) : rate;
    return Sizing.bitsFor(share, bucketSize);
  }

  Geometry geometry(long items, int fingerprintBits) {
    return Geometry.of(
        fingerprintBits, bucketSize, Sizing.buckets(items, bucketSize, fingerprintBits));
  }

  CuckooTable table(Geometry geometry) {
    return new CuckooTable(geometry, maxEvictions);
  }

  long bytes(Geometry geometry) {
    return CuckooTable.bytes(geometry, maxEvictions);
  }

  /** Returns the shape of the next sub-filter, or null if its fingerprints would be too long. */
  @Nullable Geometry next(CuckooTable... tables) {
    long items = 0;
    for (CuckooTable table : tables) {
      items += table.capacity();
    }
    int bits = bitsOf(tables.length);
    return bits > Sizing.MAX_BITS || items > Sizing.MAX_ITEMS ? null : geometry(items, bits);
  }

  /** Returns the shape with shorter fingerprints, as far as the pairs of buckets allow. */
  static Geometry narrowed(Geometry geometry, int dropped) {
    return geometry.narrowed(Math.max(geometry.pairBits(), geometry.bits() - dropped));
  }

  /** Returns the bytes of the tables, and of another one, with shorter fingerprints. */
  long bytes(CuckooTable[] tables, @Nullable Geometry next, int dropped) {
    long bytes = next == null ? 0 : bytes(narrowed(next, dropped));
    for (CuckooTable table : tables) {
      bytes += bytes(narrowed(table.geometry(), dropped));
    }
    return bytes;
  }

  /** Returns how many bits to drop so that all fits into the budget, or -1 if it never does. */
  int bitsToDrop(CuckooTable[] tables, @Nullable Geometry next, long budget) {
    for (int dropped = 0; dropped < Sizing.MAX_BITS; dropped++) {
      if (bytes(tables, next, dropped) <= budget) {
        return dropped;
      }
    }
    return -1;
  }

  /** Returns the question what to do about these tables, and another one, under this budget. */
  Pressure pressure(
      Pressure.Cause cause,
      CuckooTable[] tables,
      @Nullable Geometry next,
      long bytesOfRebuild,
      long budget) {
    int bits = next == null ? 0 : next.bits();
    for (CuckooTable table : tables) {
      bits = Math.max(bits, table.geometry().bits());
    }
    // A lower budget ends a rebuild that it has no room for.
    long room = cause == Pressure.Cause.LOWER_BUDGET ? budget : budget - bytesOfRebuild;
    int dropped = bitsToDrop(tables, next, room);
    double rate = next == null || dropped < 0 ? 0 : planned(narrowed(next, dropped));
    for (CuckooTable table : tables) {
      rate += dropped < 0 ? 1 : planned(narrowed(table.geometry(), dropped));
    }
    return new Pressure(
        cause,
        budget,
        bytes(tables, null, 0) + bytesOfRebuild,
        bytes(tables, next, 0) + bytesOfRebuild,
        bits,
        dropped < 0 ? 0 : bits - dropped,
        Math.min(1, rate));
  }

  private static double planned(Geometry geometry) {
    return Sizing.plannedRate(geometry.bits(), geometry.bucketSize());
  }
}
