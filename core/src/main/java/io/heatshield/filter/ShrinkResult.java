package io.heatshield.filter;

/**
 * The result of setting the memory budget.
 *
 * @param done whether the filter fits into the new budget
 * @param bytesBefore memory before the call
 * @param bytesAfter memory after the call; unchanged if not done
 * @param rateBefore expected false positive rate before the call, at the current load
 * @param rateAfter expected false positive rate after the call
 */
public record ShrinkResult(
    boolean done, long bytesBefore, long bytesAfter, double rateBefore, double rateAfter) {}
