package io.heatshield.limit.coalesce;

/**
 * The calls for one hot counter since it became hot.
 *
 * @param coalesced those that shared a call to the backend
 * @param wouldHaveCoalesced those that would have, while coalescing was only observed
 */
public record CoalescedCalls(long coalesced, long wouldHaveCoalesced) {
  /** No calls. */
  public static final CoalescedCalls NONE = new CoalescedCalls(0, 0);

  /** Returns the sums of both. */
  public CoalescedCalls plus(CoalescedCalls other) {
    return new CoalescedCalls(
        coalesced + other.coalesced, wouldHaveCoalesced + other.wouldHaveCoalesced);
  }
}
