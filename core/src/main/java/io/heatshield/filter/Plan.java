package io.heatshield.filter;

/**
 * What a filter was asked to be.
 *
 * @param rate target of the false positive rate, over all sub-filters
 * @param bits fingerprint bits given by hand, or 0
 * @param bucketSize slots of a bucket
 * @param maxEvictions buckets that a search for room may look at
 * @param maxCopies how often one key may be added
 * @param growth what to do when full
 * @param listener who decides under pressure
 */
record Plan(
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
}
