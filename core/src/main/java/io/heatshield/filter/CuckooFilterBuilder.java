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
 * The parameters of a {@link CuckooFilter}. All faults are reported at once, with the arithmetic
 * that makes them one. Not for several threads.
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

  /** Sets for how many keys the filter is made; 1,000,000 unless set. */
  public CuckooFilterBuilder expectedItems(long items) {
    expectedItems = items;
    return this;
  }

  /** Sets the probability with which an absent key may look present; 0.001 unless set. */
  public CuckooFilterBuilder falsePositiveRate(double falsePositiveRate) {
    rate = falsePositiveRate;
    return this;
  }

  /** Sets the bits of a fingerprint, 4 to 32, whatever rate they reach; 0 lets the rate decide. */
  public CuckooFilterBuilder fingerprintBits(int fingerprintBits) {
    bits = fingerprintBits;
    return this;
  }

  /** Sets the slots of a bucket, 1 to 8; 4 unless set. */
  public CuckooFilterBuilder bucketSize(int slots) {
    bucketSize = slots;
    return this;
  }

  /** Sets how far a search for room goes, four buckets for each eviction; 500 unless set. */
  public CuckooFilterBuilder maxEvictions(int evictions) {
    maxEvictions = evictions;
    return this;
  }

  /**
   * Sets how often one key may be added, up to twice the bucket size; the bucket size unless set.
   */
  public CuckooFilterBuilder maxCopies(int copies) {
    maxCopies = copies;
    return this;
  }

  /** Sets what happens when the filter is full; it refuses unless set. */
  public CuckooFilterBuilder growth(Growth whenFull) {
    growth = whenFull;
    return this;
  }

  /** Sets the most memory; no bound unless set. */
  public CuckooFilterBuilder budgetBytes(long bytes) {
    budgetBytes = bytes;
    return this;
  }

  /** Sets what happens instead of exceeding the budget; it refuses unless set. */
  public CuckooFilterBuilder onOverBudget(OverBudget policy) {
    overBudget = policy;
    return this;
  }

  /** Lets a listener decide instead of the policy, except when the filter is built. */
  public CuckooFilterBuilder onPressure(Pressure.Listener pressureListener) {
    listener = pressureListener;
    return this;
  }

  /**
   * Lets a consumer hear what is granted but probably not meant, such as bits that miss the rate.
   */
  public CuckooFilterBuilder onWarning(Consumer<String> consumer) {
    warnings = consumer;
    return this;
  }

  /**
   * Returns the filter.
   *
   * @throws IllegalArgumentException if it cannot be, with every reason
   */
  public CuckooFilter build() {
    List<String> faults = faults();
    if (faults.isEmpty()) {
      FilterPlan plan = plan();
      Geometry geometry = fitting(plan, faults);
      if (geometry != null) {
        warn(plan, geometry);
        return new CuckooFilter(hash, new TableChain(plan, budgetBytes, plan.table(geometry)));
      }
    }
    throw new IllegalArgumentException("filter cannot be built: " + String.join("; ", faults));
  }

  /**
   * Returns the filter that a snapshot holds, with this builder's hash function, policies and
   * budget; shape and content are the snapshot's.
   *
   * @throws InvalidSnapshotException if it is not whole, not unchanged, made under another hash
   *     function, or larger than the budget; memory is taken only as content arrives
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
        expectedItems >= 1 && expectedItems <= Sizing.MAX_ITEMS,
        "expected items must be 1 to " + Sizing.MAX_ITEMS,
        expectedItems);
    check(faults, rate > 0 && rate < 1, "false positive rate must be above 0 and below 1", rate);
    check(
        faults,
        bits == 0 || (bits >= Sizing.MIN_BITS && bits <= Sizing.MAX_BITS),
        "fingerprint bits must be 4 to 32, or 0 for as many as the rate needs",
        bits);
    boolean bucketSizeOk = bucketSize >= 1 && bucketSize <= Sizing.MAX_BUCKET_SIZE;
    check(faults, bucketSizeOk, "bucket size must be 1 to 8", bucketSize);
    check(
        faults,
        maxEvictions >= 0 && maxEvictions <= Sizing.MAX_EVICTIONS_LIMIT,
        "max evictions must be 0 to " + Sizing.MAX_EVICTIONS_LIMIT,
        maxEvictions);
    check(
        faults,
        maxCopies >= 0 && maxCopies <= 2 * bucketSize,
        "max copies must be 1 to twice the bucket size, or 0 for the bucket size",
        maxCopies);
    check(faults, budgetBytes > 0, "budget bytes must be positive", budgetBytes);
    if (bits == 0 && bucketSizeOk && rate > 0 && rate < 1) {
      int needed = plan().bitsOf(0);
      if (needed > Sizing.MAX_BITS) {
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
                + sci(Sizing.plannedRate(needed, bucketSize))
                + "; fingerprints have at most 32, which give "
                + sci(Sizing.plannedRate(Sizing.MAX_BITS, bucketSize)));
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
    Pressure.Relief byPolicy =
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
        listener == null ? pressure -> byPolicy : listener);
  }

  /** Returns the shape within the budget, or null with the fault added. */
  private @Nullable Geometry fitting(FilterPlan plan, List<String> faults) {
    Geometry asked = plan.geometry(expectedItems, plan.bitsOf(0));
    if (plan.bytes(asked) <= budgetBytes) {
      return withinHeap(plan, asked, faults);
    }
    int fewer = asked.bits();
    while (fewer >= Sizing.MIN_BITS
        && plan.bytes(plan.geometry(expectedItems, fewer)) > budgetBytes) {
      fewer--;
    }
    String arithmetic = arithmetic(plan, asked) + ", the budget is " + budgetBytes;
    if (fewer < Sizing.MIN_BITS) {
      faults.add(
          arithmetic
              + ", and 4 bits would need "
              + plan.bytes(plan.geometry(expectedItems, Sizing.MIN_BITS)));
      return null;
    }
    String instead =
        fewer
            + " bits fit and give a false positive rate of "
            + sci(Sizing.plannedRate(fewer, bucketSize));
    if (overBudget == OverBudget.REFUSE) {
      faults.add(arithmetic + "; " + instead);
      return null;
    }
    warnings.accept(arithmetic + ": " + instead);
    return withinHeap(plan, plan.geometry(expectedItems, fewer), faults);
  }

  /** Returns the shape, or null with the fault added if this JVM could never hold it. */
  private @Nullable Geometry withinHeap(FilterPlan plan, Geometry geometry, List<String> faults) {
    long heap = Runtime.getRuntime().maxMemory();
    if (plan.bytes(geometry) <= heap) {
      return geometry;
    }
    faults.add(arithmetic(plan, geometry) + ", the heap has " + heap + " at most");
    return null;
  }

  private String arithmetic(FilterPlan plan, Geometry geometry) {
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
    int given = plan.bits();
    double share = plan.growth() == Growth.CHAIN ? rate / 2 : rate;
    if (given != 0 && Sizing.plannedRate(geometry.bits(), bucketSize) > share) {
      warnings.accept(
          given
              + " fingerprint bits give a false positive rate of "
              + sci(Sizing.plannedRate(given, bucketSize))
              + " when full"
              + (plan.growth() == Growth.CHAIN ? ", and twice that as the chain grows" : "")
              + "; "
              + sci(rate)
              + " was asked for and needs "
              + new FilterPlan(rate, 0, bucketSize, 0, 1, growth, plan.listener()).bitsOf(0));
    }
  }

  private static String sci(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }
}
