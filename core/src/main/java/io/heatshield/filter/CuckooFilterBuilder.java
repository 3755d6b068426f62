package io.heatshield.filter;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.settings.Faults;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link CuckooFilter}, or restores one that was written. All invalid settings are
 * reported at once, with the computation that shows why. Not thread-safe.
 */
public final class CuckooFilterBuilder {
  private static final int DEFAULT_EVICTIONS = 500;

  private KeyHash hash = KeyHash.fast(HashSecret.random());
  private long expectedItems = 1_000_000;
  private double rate = 0.001;
  private int bits;
  private int bucketSize = 4;
  private int maxEvictions = DEFAULT_EVICTIONS;
  private int maxCopies;
  private Growth growth = Growth.CHAIN;
  private long maxBytes = Long.MAX_VALUE;
  private OverBudget overBudget = OverBudget.REFUSE;
  private Pressure.@Nullable Listener listener;
  private Consumer<String> warnings = warning -> {};

  CuckooFilterBuilder() {}

  /**
   * Sets the secret of the hash function of keys; a random one by default. A filter that is written
   * and restored needs the same secret both times.
   */
  public CuckooFilterBuilder secret(HashSecret secret) {
    hash = KeyHash.fast(Objects.requireNonNull(secret, "secret"));
    return this;
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
   * Sets the maximum number of copies of one key that {@link CuckooFilter#add(byte[])} stores, up
   * to twice the bucket size; 0, the default, is the bucket size. 1 is for sets from which no key
   * is removed: a key that looks present, because it or a similar one was added before, then takes
   * no further slot.
   */
  public CuckooFilterBuilder maxCopies(int copies) {
    maxCopies = copies;
    return this;
  }

  /** Sets the action of a full filter; {@link Growth#CHAIN} by default. */
  public CuckooFilterBuilder growth(Growth whenFull) {
    growth = Objects.requireNonNull(whenFull, "whenFull");
    return this;
  }

  /** Sets the memory budget in bytes; unlimited by default. */
  public CuckooFilterBuilder maxBytes(long bytes) {
    maxBytes = bytes;
    return this;
  }

  /** Sets the action when the budget is reached; {@link OverBudget#REFUSE} by default. */
  public CuckooFilterBuilder onOverBudget(OverBudget policy) {
    overBudget = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /** Sets a listener that decides instead of the policy once the filter is built. */
  public CuckooFilterBuilder listener(Pressure.Listener pressureListener) {
    listener = Objects.requireNonNull(pressureListener, "pressureListener");
    return this;
  }

  /** Sets a receiver of warnings about settings that are valid but probably not intended. */
  public CuckooFilterBuilder onWarning(Consumer<String> consumer) {
    warnings = Objects.requireNonNull(consumer, "consumer");
    return this;
  }

  /**
   * Returns an empty filter.
   *
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public CuckooFilter build() {
    Faults faults = faults();
    faults.throwIfAny();
    FilterPlan plan = plan();
    Geometry geometry = fittingGeometry(plan, faults, warnings);
    checkHeap(plan, geometry, faults);
    faults.throwIfAny();
    warn(plan, geometry);
    return new CuckooFilter(hash, new TableChain(plan, maxBytes, plan.table(geometry)));
  }

  /**
   * Returns the size of the filter that {@link #build} would return. Nothing is allocated, and the
   * heap of this process does not matter.
   *
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public FilterSize size() {
    Faults faults = faults();
    faults.throwIfAny();
    FilterPlan plan = plan();
    Geometry geometry = fittingGeometry(plan, faults, none -> {});
    faults.throwIfAny();
    return new FilterSize(
        geometry.capacity(),
        geometry.bits(),
        bucketSize,
        geometry.buckets(),
        plan.bytes(geometry),
        0,
        geometry.plannedRate());
  }

  /**
   * Returns the filter that {@link CuckooFilter#writeTo} wrote, with this builder's secret,
   * policies and budget; dimensions and content are those of the written filter. Memory is
   * allocated only as content arrives. Does not close the stream.
   *
   * @throws InvalidSnapshotException if the bytes are incomplete, were changed, are no filter, are
   *     of another secret, or need more than the budget
   * @throws InvalidSettingsException if settings are invalid; it names all of them
   */
  public CuckooFilter restore(InputStream in) throws IOException {
    faults().throwIfAny();
    FilterSnapshot snapshot = FilterSnapshot.read(in, hash.fingerprint(), maxBytes, maxEvictions);
    return new CuckooFilter(hash, new TableChain(plan(), maxBytes, snapshot.tables(maxEvictions)));
  }

  private Faults faults() {
    var faults = new Faults();
    faults.checkRange("expectedItems", expectedItems, 1, Geometry.MAX_ITEMS);
    boolean rateOk = rate > 0 && rate < 1;
    faults.check(rateOk, "falsePositiveRate must be above 0 and below 1", rate);
    faults.check(
        bits == 0 || (bits >= Geometry.MIN_BITS && bits <= Geometry.MAX_BITS),
        "fingerprintBits must be 4 to 32, or 0 to derive them from the rate",
        bits);
    boolean bucketSizeOk = bucketSize >= 1 && bucketSize <= Geometry.MAX_BUCKET_SIZE;
    faults.checkRange("bucketSize", bucketSize, 1, Geometry.MAX_BUCKET_SIZE);
    faults.checkRange("maxEvictions", maxEvictions, 0, FilterPlan.MAX_EVICTIONS);
    faults.check(
        maxCopies >= 0 && maxCopies <= 2 * bucketSize,
        "maxCopies must be 1 to twice the bucket size, or 0 for the bucket size",
        maxCopies);
    faults.check(maxBytes > 0, "maxBytes must be positive", maxBytes);
    if (bits == 0 && bucketSizeOk && rateOk && plan().bitsOf(0) > Geometry.MAX_BITS) {
      faults.add(needsTooManyBits(plan().bitsOf(0)));
    }
    return faults;
  }

  private String needsTooManyBits(int needed) {
    return "falsePositiveRate "
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
        + format(Geometry.plannedRate(Geometry.MAX_BITS, bucketSize));
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

  /** Returns dimensions within the budget; adds a fault if there are none. */
  private Geometry fittingGeometry(FilterPlan plan, Faults faults, Consumer<String> onDegrade) {
    Geometry wanted = plan.geometry(expectedItems, plan.bitsOf(0));
    if (plan.bytes(wanted) <= maxBytes) {
      return wanted;
    }
    int fewer = wanted.bits();
    while (fewer >= Geometry.MIN_BITS
        && plan.bytes(plan.geometry(expectedItems, fewer)) > maxBytes) {
      fewer--;
    }
    String computation = computation(plan, wanted) + ", maxBytes is " + maxBytes;
    if (fewer < Geometry.MIN_BITS) {
      faults.add(
          computation
              + ", and 4 bits would need "
              + plan.bytes(plan.geometry(expectedItems, Geometry.MIN_BITS)));
      return wanted;
    }
    String alternative =
        fewer
            + " bits fit and give a false positive rate of "
            + format(Geometry.plannedRate(fewer, bucketSize));
    if (overBudget == OverBudget.REFUSE) {
      faults.add(computation + "; " + alternative);
      return wanted;
    }
    onDegrade.accept(computation + ": " + alternative);
    return plan.geometry(expectedItems, fewer);
  }

  /** Adds a fault if the maximum heap is too small. */
  private void checkHeap(FilterPlan plan, Geometry geometry, Faults faults) {
    long heap = Runtime.getRuntime().maxMemory();
    if (plan.bytes(geometry) > heap) {
      faults.add(computation(plan, geometry) + ", the maximum heap is " + heap);
    }
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
