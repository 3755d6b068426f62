package io.heatshield.filter;

/**
 * What came of a rebuild.
 *
 * @param outcome whether the new filter took over, or why not
 * @param scanned how many keys the source told
 * @param kept how many deleted keys stay in the new filter, because a live scan cannot tell whether
 *     they are in it, or because the scan told of one after it had been added and deleted; each is
 *     one false positive at most, until deleted or rebuilt
 * @param bytes memory after the rebuild
 * @param falsePositiveRate expected rate after the rebuild
 */
public record RebuildResult(
    Outcome outcome, long scanned, long kept, long bytes, double falsePositiveRate) {

  /** How a rebuild ended. Unless it is {@link #DONE}, the filter is as if nobody had asked. */
  public enum Outcome {
    /** The new filter has taken over. */
    DONE,
    /**
     * Old and new together would have exceeded the budget, and the answer to the pressure was no.
     */
    OVER_BUDGET,
    /** The source told more keys than it had announced, with an eighth to spare. */
    SOURCE_TOO_LARGE,
    /** More keys changed during the rebuild than the log of changes, or the budget, holds. */
    TOO_MANY_CHANGES,
    /** The filter was cleared or shrunk meanwhile. */
    OVERTAKEN
  }
}
