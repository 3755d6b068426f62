package io.heatshield.guard;

import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.CuckooFilterBuilder;
import io.heatshield.filter.FilterStats;
import io.heatshield.filter.Growth;
import io.heatshield.filter.OverBudget;
import io.heatshield.hash.HashSecret;
import java.util.function.Consumer;

/**
 * The configuration of the filter of {@link AbsentKeys}; see {@link CuckooFilterBuilder}.
 *
 * @param expectedItems the number of keys to make room for
 * @param falsePositiveRate the share of absent keys that may look present
 * @param fingerprintBits 0 for as many as the rate needs
 * @param bucketSize the number of slots in a bucket
 * @param maxEvictions the maximum number of keys that an insertion moves
 * @param growth what happens when the filter is full
 * @param onOverBudget what happens when the filter does not fit into its budget
 */
public record FilterShape(
    long expectedItems,
    double falsePositiveRate,
    int fingerprintBits,
    int bucketSize,
    int maxEvictions,
    Growth growth,
    OverBudget onOverBudget) {
  private static final long LOCK_BYTES = 1 << 15;

  /** At eight bits each, in 45 % of the bytes. */
  private static final double ITEMS_PER_BYTE = 0.42;

  private static final double NEARLY_FULL = 0.9;

  /** Returns the shape of a filter from which no key is removed. */
  public static FilterShape addOnly(long expectedItems) {
    return new FilterShape(expectedItems, 0.001, 0, 4, 500, Growth.REFUSE, OverBudget.DEGRADE);
  }

  /**
   * Returns a builder of a filter of this shape, without the number of keys. One copy of a key is
   * enough, because keys are added without an owner only if none is removed.
   */
  CuckooFilterBuilder builder(HashSecret secret, long maxBytes, Consumer<String> warnings) {
    return CuckooFilter.builder()
        .secret(secret)
        .falsePositiveRate(falsePositiveRate)
        .fingerprintBits(fingerprintBits)
        .bucketSize(bucketSize)
        .maxEvictions(maxEvictions)
        .growth(growth)
        .maxCopies(1)
        .maxBytes(maxBytes)
        .onOverBudget(onOverBudget)
        .onWarning(warnings);
  }

  /** Returns the items that fit into less than half a budget, which leaves room for a rebuild. */
  long itemsWithin(long maxBytes) {
    long most = (long) ((maxBytes - LOCK_BYTES) * ITEMS_PER_BYTE);
    return Math.min(expectedItems, Math.max(1, most));
  }

  /** Returns whether a filter should be rebuilt because it is nearly full. */
  boolean isNearlyFull(FilterStats now) {
    return growth == Growth.REBUILD && now.size() > NEARLY_FULL * now.capacity();
  }
}
