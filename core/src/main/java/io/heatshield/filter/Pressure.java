package io.heatshield.filter;

/**
 * The question what to do instead of exceeding the memory budget.
 *
 * @param cause what needs the memory
 * @param budgetBytes the budget
 * @param bytes memory in use
 * @param bytesAsked memory that going on would take in all
 * @param bits bits per fingerprint, of the longest, if it went on
 * @param bitsThatFit bits per fingerprint that stay within the budget; 0 if none do
 * @param rateThatFits false positive rate of those when full; 1 if none do
 */
public record Pressure(
    Cause cause,
    long budgetBytes,
    long bytes,
    long bytesAsked,
    int bits,
    int bitsThatFit,
    double rateThatFits) {

  /** What needs memory. */
  public enum Cause {
    /** The filter is full and wants to add a sub-filter. */
    GROWTH,
    /** A rebuild needs the new table beside the old ones. */
    REBUILD,
    /** The budget was lowered. */
    LOWER_BUDGET
  }

  /**
   * Who decides. It is called by the thread whose call needs the memory, with no lock held; while
   * nothing changes, it is asked once and not for every refused key.
   */
  @FunctionalInterface
  public interface Listener {
    /** Returns what to do. */
    Relief relieve(Pressure pressure);
  }

  /** What to do about the pressure. */
  public enum Relief {
    /** Shorten the fingerprints, down to what {@link #bitsThatFit} says, and go on. */
    SHRINK_FINGERPRINTS,
    /** Do not go on: the caller is told. */
    REFUSE,
    /**
     * Do not go on, and note that the owner means to rebuild: {@link FilterStats#rebuildWanted}
     * stays true until it did.
     */
    REBUILD
  }
}
