package io.heatshield.ring;

/**
 * What a ring holds and did; exact when nobody uses the ring meanwhile.
 *
 * @param takenNanos the ticker's reading when the walk over the ring began
 * @param buckets the cells of the table
 * @param entries the keys held whose counts have not run out
 * @param bytes the memory that the entries take at most, by {@link HotRing#entryBytes}
 * @param touches every touch and admitted clamp that was counted
 * @param inserts keys that came in
 * @param removes keys that were taken out on demand
 * @param expired keys that were taken out because they had run out
 * @param displaced keys that lost their place to a newcomer
 * @param clamps calls that were limited
 * @param drops touches and clamps that a full ring did not count
 * @param rotations turns of the generation
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

  /** Returns the entries per bucket. */
  public double load() {
    return (double) entries / buckets;
  }
}
