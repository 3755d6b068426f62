package io.heatshield.filter;

/**
 * A request for more memory than the budget allows.
 *
 * @param cause the operation that needs the memory
 * @param maxBytes the budget
 * @param bytes memory in use
 * @param bytesAsked total memory after the operation
 * @param bits bits of the longest fingerprint after the operation
 * @param bitsThatFit bits of the longest fingerprint that fit into the budget; 0 if none do
 * @param rateThatFits false positive rate of a full filter with those bits; 1 if none fit
 */
public record Pressure(
    Cause cause,
    long maxBytes,
    long bytes,
    long bytesAsked,
    int bits,
    int bitsThatFit,
    double rateThatFits) {

  /** The operation that needs memory. */
  public enum Cause {
    /** The filter is full and needs another sub-filter. */
    GROWTH,
    /** A rebuild needs the new table in addition to the old ones. */
    REBUILD,
    /** The budget was lowered. */
    LOWER_MAX_BYTES
  }

  /**
   * Decides how the filter reacts to memory pressure.
   *
   * <p>It is called without any lock, by the thread whose call needs the memory. After a refusal of
   * growth it is not called again until the tables or the budget change. If it throws, the
   * exception is swallowed, counted in {@link FilterStats#listenerFaults}, and taken for {@link
   * Relief#REFUSE}.
   */
  @FunctionalInterface
  public interface Listener {
    /** Returns the reaction to the pressure. */
    Relief relieve(Pressure pressure);
  }

  /** The reaction to memory pressure. */
  public enum Relief {
    /** Shorten the fingerprints, at most to {@link #bitsThatFit}, and continue. */
    SHRINK_FINGERPRINTS,
    /** Refuse the operation. */
    REFUSE,
    /**
     * Refuse the operation and record that the owner plans a rebuild: {@link
     * FilterStats#rebuildWanted} stays true until a rebuild is done.
     */
    REBUILD
  }
}
