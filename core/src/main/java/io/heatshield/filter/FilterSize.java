package io.heatshield.filter;

/**
 * The size of a filter, computed from its settings without building it.
 *
 * @param items the number of keys that fit
 * @param fingerprintBits bits per fingerprint
 * @param bucketSize slots per bucket
 * @param buckets number of buckets
 * @param heapBytes memory on the heap
 * @param directBytes memory outside the heap
 * @param falsePositiveRate probability that an absent key looks present when the filter is full
 */
public record FilterSize(
    long items,
    int fingerprintBits,
    int bucketSize,
    long buckets,
    long heapBytes,
    long directBytes,
    double falsePositiveRate) {

  /** Returns the memory on and outside the heap. */
  public long bytes() {
    return heapBytes + directBytes;
  }

  /** Returns the bits of memory per key of a full filter. */
  public double bitsPerItem() {
    return 8.0 * bytes() / items;
  }
}
