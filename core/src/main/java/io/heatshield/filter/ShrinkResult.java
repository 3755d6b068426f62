package io.heatshield.filter;

/**
 * What came of making a filter smaller.
 *
 * @param done whether the filter now fits
 * @param bytesBefore memory before
 * @param bytesAfter memory after; as before if not done
 * @param rateBefore expected false positive rate at the load it had, before
 * @param rateAfter the same, after
 */
public record ShrinkResult(
    boolean done, long bytesBefore, long bytesAfter, double rateBefore, double rateAfter) {}
