package io.heatshield.contest;

/**
 * Statistics about the keys of a table since it was created.
 *
 * <p>The stripes are read one after the other, each exactly.
 *
 * @param size the number of entries
 * @param capacity the number of slots
 * @param touches all touches
 * @param untracked touches of keys that got no slot
 * @param contests touches of newcomers that found no free slot
 * @param won contests that the newcomer won
 * @param evictions entries that were evicted, by a newcomer or by a reduction of the table
 * @param expired evictions of entries that had not been touched for a window
 * @param replaced evictions of entries that a newcomer replaced by its higher score
 * @param rejected contests that the newcomer lost because its score was too low
 */
public record ContestStats(
    long size,
    long capacity,
    long touches,
    long untracked,
    long contests,
    long won,
    long evictions,
    long expired,
    long replaced,
    long rejected) {

  static ContestStats of(long size, long capacity, ContestStripe.Counts counts) {
    return new ContestStats(
        size,
        capacity,
        counts.touches,
        counts.rejected,
        counts.contests,
        counts.expired + counts.replaced,
        counts.expired + counts.replaced + counts.shrunk,
        counts.expired,
        counts.replaced,
        counts.rejected);
  }

  /** Returns the share of the slots that are used, 0 to 1. */
  public double used() {
    return (double) size / capacity;
  }
}
