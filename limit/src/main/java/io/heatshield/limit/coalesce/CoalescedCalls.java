package io.heatshield.limit.coalesce;

/**
 * The calls for one hot counter since it turned hot.
 *
 * @param coalesced those that shared a call to the counters
 * @param wouldHaveCoalesced those that would have done so, while coalescing only observed
 */
public record CoalescedCalls(long coalesced, long wouldHaveCoalesced) {
  /** No call. */
  public static final CoalescedCalls NONE = new CoalescedCalls(0, 0);

  /** Returns the sum of both. */
  public CoalescedCalls plus(CoalescedCalls other) {
    return new CoalescedCalls(
        coalesced + other.coalesced, wouldHaveCoalesced + other.wouldHaveCoalesced);
  }
}
