package io.heatshield.filter;

/**
 * The result of a rebuild.
 *
 * @param outcome whether the new table replaced the old ones, or why not
 * @param scanned the number of keys that the source delivered
 * @param kept the number of deleted keys whose fingerprints remain. A live scan cannot tell whether
 *     such a key is in the new table, and a scan may deliver a key that was added and deleted
 *     meanwhile. Each is at most one false positive, until it is deleted or the filter is rebuilt
 * @param bytes memory after the rebuild
 * @param falsePositiveRate expected false positive rate after the rebuild
 */
public record RebuildResult(
    Outcome outcome, long scanned, long kept, long bytes, double falsePositiveRate) {

  /** The outcome of a rebuild. Unless it is {@link #DONE}, the rebuild changed nothing. */
  public enum Outcome {
    /** The new table has replaced the old ones. */
    DONE,
    /** The old and new tables together would have exceeded the budget, and this was refused. */
    OVER_BUDGET,
    /** The source delivered more keys than it had announced plus an eighth. */
    SOURCE_TOO_LARGE,
    /** More keys changed during the rebuild than fit into the change log or the budget. */
    TOO_MANY_CHANGES,
    /** The filter was cleared or shrunk during the rebuild. */
    OVERTAKEN
  }
}
