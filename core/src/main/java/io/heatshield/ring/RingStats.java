package io.heatshield.ring;

/**
 * Statistics of a ring. They are exact if no other thread uses the ring while they are collected.
 *
 * @param takenNanos the ticker's reading when the iteration over the ring began
 * @param buckets the number of cells of the table
 * @param entries the number of keys whose counts have not expired
 * @param bytes the most memory that the entries take, by {@link HotRing#entryBytes}
 * @param touches the touches and admitted clamps that were counted
 * @param inserts the keys that were inserted
 * @param removes the keys that were removed by a call
 * @param expired the keys that were removed because their counts had expired
 * @param displaced the keys that were evicted to make room for a new key
 * @param clamps the calls that were limited
 * @param drops the touches and clamps that were not counted because the ring was full
 * @param rotations the generations that have ended
 */
public record RingStats(
    long takenNanos,
    long buckets,
    long entries,
    long bytes,
    long touches,
    long inserts,
    long removes,
    long expired,
    long displaced,
    long clamps,
    long drops,
    long rotations) {

  /** Returns the number of entries per cell. */
  public double load() {
    return (double) entries / buckets;
  }
}
