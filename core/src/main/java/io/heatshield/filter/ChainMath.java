package io.heatshield.filter;

import org.jspecify.annotations.Nullable;

/** The arithmetic of several tables under one budget. */
final class ChainMath {
  private ChainMath() {}

  /**
   * Returns the probability that an absent key looks present in one table at least: at most the
   * sum.
   */
  static double rate(CuckooTable... tables) {
    double sum = 0;
    for (CuckooTable table : tables) {
      sum += table.rate();
    }
    return Math.min(1, sum);
  }

  /** Returns the shape of the next sub-filter, or null if its fingerprints would be too long. */
  static @Nullable Geometry next(Plan plan, CuckooTable... tables) {
    long items = 0;
    for (CuckooTable table : tables) {
      items += table.capacity();
    }
    int bits = plan.bitsOf(tables.length);
    return bits > Sizing.MAX_BITS || items > Sizing.MAX_ITEMS ? null : plan.geometry(items, bits);
  }

  /** Returns the shape with so many bits less, as far as the pairs of buckets allow. */
  static Geometry narrowed(Geometry geometry, int dropped) {
    return geometry.narrowed(Math.max(geometry.pairBits(), geometry.bits() - dropped));
  }

  /** Returns the bytes of the tables, and of another one, with so many bits dropped. */
  static long bytes(Plan plan, CuckooTable[] tables, @Nullable Geometry next, int dropped) {
    long bytes = next == null ? 0 : plan.bytes(narrowed(next, dropped));
    for (CuckooTable table : tables) {
      bytes += plan.bytes(narrowed(table.geometry(), dropped));
    }
    return bytes;
  }

  /** Returns how many bits to drop so that all fits into the budget, or -1 if it never does. */
  static int bitsToDrop(Plan plan, CuckooTable[] tables, @Nullable Geometry next, long budget) {
    for (int dropped = 0; dropped < Sizing.MAX_BITS; dropped++) {
      if (bytes(plan, tables, next, dropped) <= budget) {
        return dropped;
      }
    }
    return -1;
  }

  /** Returns the question what to do about these tables, and another one, under this budget. */
  static Pressure pressure(
      Pressure.Cause cause,
      Plan plan,
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
    int dropped = bitsToDrop(plan, tables, next, room);
    double rate = next == null || dropped < 0 ? 0 : planned(narrowed(next, dropped));
    for (CuckooTable table : tables) {
      rate += dropped < 0 ? 1 : planned(narrowed(table.geometry(), dropped));
    }
    return new Pressure(
        cause,
        budget,
        bytes(plan, tables, null, 0) + bytesOfRebuild,
        bytes(plan, tables, next, 0) + bytesOfRebuild,
        bits,
        dropped < 0 ? 0 : bits - dropped,
        Math.min(1, rate));
  }

  private static double planned(Geometry geometry) {
    return Sizing.plannedRate(geometry.bits(), geometry.bucketSize());
  }
}
