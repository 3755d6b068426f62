package io.heatshield.filter;

import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link CuckooFilter}, or loads one from a snapshot. All invalid settings are reported at
 * once, with the computation that shows why. Not thread-safe.
 */
public final class CuckooFilterBuilder {
  private static final int DEFAULT_EVICTIONS = 500;

  private final KeyHash hash;
  private long expectedItems = 1_000_000;
  private double rate = 0.001;
  private int bits;
  private int bucketSize = 4;
  private int maxEvictions = DEFAULT_EVICTIONS;
  private int maxCopies;
  private Growth growth = Growth.REFUSE;
  private long budgetBytes = Long.MAX_VALUE;
  private OverBudget overBudget = OverBudget.REFUSE;
  private Pressure.@Nullable Listener listener;
  private Consumer<String> warnings = warning -> {};

  CuckooFilterBuilder(KeyHash hash) {
    this.hash = hash;
  }

  /** Sets the number of keys that must fit; 1,000,000 by default. */
  public CuckooFilterBuilder expectedItems(long items) {
    expectedItems = items;
    return this;
  }

  /** Sets the maximum probability that an absent key looks present; 0.001 by default. */
  public CuckooFilterBuilder falsePositiveRate(double falsePositiveRate) {
    rate = falsePositiveRate;
    return this;
  }

  /** Sets the bits per fingerprint, 4 to 32; 0, the default, derives them from the rate. */
  public CuckooFilterBuilder fingerprintBits(int fingerprintBits) {
    bits = fingerprintBits;
    return this;
  }

  /** Sets the slots per bucket, 1 to 8; 4 by default. */
  public CuckooFilterBuilder bucketSize(int slots) {
    bucketSize = slots;
    return this;
  }

  /** Sets the limit of a search for an empty slot, in units of four buckets; 500 by default. */
  public CuckooFilterBuilder maxEvictions(int evictions) {
    maxEvictions = evictions;
    return this;
  }

  /**
   * Sets the maximum number of copies of one key, up to twice the bucket size; the bucket size by
   * default.
   */
  public CuckooFilterBuilder maxCopies(int copies) {
    maxCopies = copies;
    return this;
  }

  /** Sets the action of a full filter; {@link Growth#REFUSE} by default. */
  public CuckooFilterBuilder growth(Growth whenFull) {
    growth = whenFull;
    return this;
  }

  /** Sets the memory budget; unlimited by default. */
  public CuckooFilterBuilder budgetBytes(long bytes) {
    budgetBytes = bytes;
    return this;
  }

  /** Sets the action when the budget is reached; {@link OverBudget#REFUSE} by default. */
  public CuckooFilterBuilder onOverBudget(OverBudget policy) {
    overBudget = policy;
    return this;
  }

  /** Sets a listener that decides instead of the policy once the filter is built. */
  public CuckooFilterBuilder onPressure(Pressure.Listener pressureListener) {
    listener = pressureListener;
    return this;
  }

  /** Sets a receiver of warnings about settings that are valid but probably not intended. */
  public CuckooFilterBuilder onWarning(Consumer<String> consumer) {
    warnings = consumer;
    return this;
  }

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if settings are invalid; the message names all of them
   */
  public CuckooFilter build() {
    List<String> faults = faults();
    if (faults.isEmpty()) {
      FilterPlan plan = plan();
      Geometry geometry = fittingGeometry(plan, faults);
      if (geometry != null) {
        warn(plan, geometry);
        return new CuckooFilter(hash, new TableChain(plan, budgetBytes, plan.table(geometry)));
      }
    }
    throw new IllegalArgumentException("filter cannot be built: " + String.join("; ", faults));
  }

  /**
   * Returns the filter of a snapshot, with this builder's hash function, policies and budget;
   * dimensions and content are those of the snapshot. Memory is allocated only as content arrives.
   *
   * @throws InvalidSnapshotException if the snapshot is incomplete, was changed, was made with
   *     another hash function, or exceeds the budget
   */
  public CuckooFilter load(InputStream in) throws IOException {
    List<String> faults = faults();
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("filter cannot be built: " + String.join("; ", faults));
    }
    FilterSnapshot snapshot =
        FilterSnapshot.read(in, hash.fingerprint(), budgetBytes, maxEvictions);
    return new CuckooFilter(
        hash, new TableChain(plan(), budgetBytes, snapshot.tables(maxEvictions)));
  }

  private List<String> faults() {
    var faults = new ArrayList<String>();
    check(
        faults,
        expectedItems >= 1 && expectedItems <= Geometry.MAX_ITEMS,
        "expected items must be 1 to " + Geometry.MAX_ITEMS,
        expectedItems);
    check(faults, rate > 0 && rate < 1, "false positive rate must be above 0 and below 1", rate);
    check(
        faults,
        bits == 0 || (bits >= Geometry.MIN_BITS && bits <= Geometry.MAX_BITS),
        "fingerprint bits must be 4 to 32, or 0 to derive them from the rate",
        bits);
    boolean bucketSizeOk = bucketSize >= 1 && bucketSize <= Geometry.MAX_BUCKET_SIZE;
    check(faults, bucketSizeOk, "bucket size must be 1 to 8", bucketSize);
    check(
        faults,
        maxEvictions >= 0 && maxEvictions <= FilterPlan.MAX_EVICTIONS,
        "max evictions must be 0 to " + FilterPlan.MAX_EVICTIONS,
        maxEvictions);
    check(
        faults,
        maxCopies >= 0 && maxCopies <= 2 * bucketSize,
        "max copies must be 1 to twice the bucket size, or 0 for the bucket size",
        maxCopies);
    check(faults, budgetBytes > 0, "budget bytes must be positive", budgetBytes);
    if (bits == 0 && bucketSizeOk && rate > 0 && rate < 1) {
      int needed = plan().bitsOf(0);
      if (needed > Geometry.MAX_BITS) {
        faults.add(
            "false positive rate "
                + rate
                + " needs "
                + needed
                + " bits: 2 x "
                + bucketSize
                + " x 0.95 / (2^"
                + needed
                + " - 1) = "
                + format(Geometry.plannedRate(needed, bucketSize))
                + "; the maximum is 32 bits, which give "
                + format(Geometry.plannedRate(Geometry.MAX_BITS, bucketSize)));
      }
    }
    return faults;
  }

  private static void check(List<String> faults, boolean holds, String rule, Object value) {
    if (!holds) {
      faults.add(rule + ": " + value);
    }
  }

  private FilterPlan plan() {
    Pressure.Relief policyRelief =
        overBudget == OverBudget.DEGRADE
            ? Pressure.Relief.SHRINK_FINGERPRINTS
            : Pressure.Relief.REFUSE;
    return new FilterPlan(
        rate,
        bits,
        bucketSize,
        maxEvictions,
        maxCopies == 0 ? bucketSize : maxCopies,
        growth,
        listener == null ? pressure -> policyRelief : listener);
  }

  /** Returns dimensions within the budget; adds a fault and returns null if there are none. */
  private @Nullable Geometry fittingGeometry(FilterPlan plan, List<String> faults) {
    Geometry wanted = plan.geometry(expectedItems, plan.bitsOf(0));
    if (plan.bytes(wanted) <= budgetBytes) {
      return withinHeap(plan, wanted, faults);
    }
    int fewer = wanted.bits();
    while (fewer >= Geometry.MIN_BITS
        && plan.bytes(plan.geometry(expectedItems, fewer)) > budgetBytes) {
      fewer--;
    }
    String computation = computation(plan, wanted) + ", the budget is " + budgetBytes;
    if (fewer < Geometry.MIN_BITS) {
      faults.add(
          computation
              + ", and 4 bits would need "
              + plan.bytes(plan.geometry(expectedItems, Geometry.MIN_BITS)));
      return null;
    }
    String alternative =
        fewer
            + " bits fit and give a false positive rate of "
            + format(Geometry.plannedRate(fewer, bucketSize));
    if (overBudget == OverBudget.REFUSE) {
      faults.add(computation + "; " + alternative);
      return null;
    }
    warnings.accept(computation + ": " + alternative);
    return withinHeap(plan, plan.geometry(expectedItems, fewer), faults);
  }

  /** Returns the dimensions; adds a fault and returns null if the maximum heap is too small. */
  private @Nullable Geometry withinHeap(FilterPlan plan, Geometry geometry, List<String> faults) {
    long heap = Runtime.getRuntime().maxMemory();
    if (plan.bytes(geometry) <= heap) {
      return geometry;
    }
    faults.add(computation(plan, geometry) + ", the maximum heap is " + heap);
    return null;
  }

  private String computation(FilterPlan plan, Geometry geometry) {
    return String.format(
        Locale.ROOT,
        "%d items in %d buckets of %d x %d bits need %d bytes",
        expectedItems,
        geometry.buckets(),
        bucketSize,
        geometry.bits(),
        plan.bytes(geometry));
  }

  private void warn(FilterPlan plan, Geometry geometry) {
    int configured = plan.bits();
    double share = plan.growth() == Growth.CHAIN ? rate / 2 : rate;
    if (configured != 0 && Geometry.plannedRate(geometry.bits(), bucketSize) > share) {
      warnings.accept(
          configured
              + " fingerprint bits give a false positive rate of "
              + format(Geometry.plannedRate(configured, bucketSize))
              + " when full"
              + (plan.growth() == Growth.CHAIN ? ", and twice that when the chain grows" : "")
              + "; "
              + format(rate)
              + " was requested and needs "
              + new FilterPlan(rate, 0, bucketSize, 0, 1, growth, plan.listener()).bitsOf(0));
    }
  }

  private static String format(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
