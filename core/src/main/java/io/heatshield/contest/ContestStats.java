package io.heatshield.contest;

/**
 * What a table holds, and what it did since it was made or its counts were reset.
 *
 * <p>Each stripe's part is exact as of some moment during the call.
 *
 * @param size the entries held
 * @param capacity the slots
 * @param touches all touches
 * @param untracked touches of keys that found no place
 * @param contests touches of newcomers that found no free slot
 * @param won contests that brought the newcomer in
 * @param evictions entries that lost their place, to a newcomer or to a smaller table
 * @param expired entries among them that had been silent for more than the window
 * @param replaced entries among them that lost by their score
 * @param rejected contests that the newcomer lost by its score
 * @param vetoed contests in which every candidate was held by its owner
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
    long rejected,
    long vetoed) {

  static ContestStats of(long size, long capacity, ContestStripe.Counts counts) {
    return new ContestStats(
        size,
        capacity,
        counts.touches,
        counts.lost + counts.vetoed,
        counts.contests,
        counts.expired + counts.replaced,
        counts.expired + counts.replaced + counts.shrunk,
        counts.expired,
        counts.replaced,
        counts.lost,
        counts.vetoed);
  }

  /** Returns the share of the slots that are taken, 0 to 1. */
  public double used() {
    return (double) size / capacity;
  }
}
