package io.heatshield.store;

import io.heatshield.action.Mode;
import io.heatshield.filter.Growth;
import io.heatshield.filter.OverBudget;
import io.heatshield.guard.FilterShape;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The protections of a store.
 *
 * @param name the scope of its keys
 * @param maxMemory the maximum memory of filter, cache and rings, and of the data if the engine is
 *     memory
 * @param sharedWriters whether others write to the engine too; the filter then only observes, and
 *     no value in memory is served that is older than {@link HotReads#maxStale}
 * @param ring how reads and writes are counted; null to count nothing, which disables everything
 *     that needs counts
 * @param writeLimit the throttle on writes of one key
 * @param hotReads the cache of keys that are read often
 * @param routing the separate storage of keys that are written often
 * @param filter the filter of absent keys; null for none
 */
public record StoreOptions(
    String name,
    long maxMemory,
    boolean sharedWriters,
    @Nullable RingShape ring,
    WriteLimit writeLimit,
    HotReads hotReads,
    Routing routing,
    @Nullable Filter filter) {
  private static final long MIN_MEMORY = 1 << 20;

  /** Checks the memory. */
  public StoreOptions {
    if (maxMemory < MIN_MEMORY) {
      throw new IllegalArgumentException(
          "max memory must be at least " + MIN_MEMORY + " bytes: " + maxMemory);
    }
  }

  /** Returns the defaults: 1 GiB, hot reads and the filter enforced, everything else observed. */
  public static StoreOptions of(String name) {
    return new StoreOptions(
        name,
        1 << 30,
        false,
        RingShape.standard(),
        new WriteLimit(Mode.OBSERVE, 128, 0, 2),
        new HotReads(Mode.ENFORCE, 16, Duration.ofSeconds(15), Duration.ofSeconds(1)),
        new Routing(Mode.OBSERVE, 8, 4, RingShape.routing()),
        Filter.of(Mode.ENFORCE, 1_000_000));
  }

  /** Returns these options with every protection off. */
  public StoreOptions unguarded() {
    return new StoreOptions(
        name,
        maxMemory,
        sharedWriters,
        null,
        new WriteLimit(Mode.OFF, 1, 0, 1),
        new HotReads(Mode.OFF, 1, Duration.ZERO, Duration.ZERO),
        new Routing(Mode.OFF, 1, 1, null),
        null);
  }

  /** Returns these options with another maximum memory. */
  public StoreOptions maxMemory(long bytes) {
    return new StoreOptions(
        name, bytes, sharedWriters, ring, writeLimit, hotReads, routing, filter);
  }

  /** Returns these options for an engine that others write to as well. */
  public StoreOptions withSharedWriters() {
    return new StoreOptions(name, maxMemory, true, ring, writeLimit, hotReads, routing, filter);
  }

  /** Returns these options with another name. */
  StoreOptions named(String other) {
    return new StoreOptions(
        other, maxMemory, sharedWriters, ring, writeLimit, hotReads, routing, filter);
  }

  /** Returns these options with another way of counting. */
  StoreOptions with(RingShape other) {
    return new StoreOptions(
        name, maxMemory, sharedWriters, other, writeLimit, hotReads, routing, filter);
  }

  /** Returns these options with another throttle. */
  public StoreOptions with(WriteLimit other) {
    return new StoreOptions(name, maxMemory, sharedWriters, ring, other, hotReads, routing, filter);
  }

  /** Returns these options with another cache. */
  public StoreOptions with(HotReads other) {
    return new StoreOptions(
        name, maxMemory, sharedWriters, ring, writeLimit, other, routing, filter);
  }

  /** Returns these options with another routing. */
  public StoreOptions with(Routing other) {
    return new StoreOptions(
        name, maxMemory, sharedWriters, ring, writeLimit, hotReads, other, filter);
  }

  /** Returns these options with another filter, or none. */
  public StoreOptions with(@Nullable Filter other) {
    return new StoreOptions(
        name, maxMemory, sharedWriters, ring, writeLimit, hotReads, routing, other);
  }

  /**
   * The throttle on writes of one key, and their grouping.
   *
   * @param perWindow the number of writes allowed in the ring's window
   * @param burstThreshold with the throttle off, the number of writes in a window above which the
   *     writes of a key are grouped; 0 for no grouping
   * @param batchMultiplier how many times 16 writes a group may have
   */
  public record WriteLimit(Mode mode, long perWindow, long burstThreshold, int batchMultiplier) {}

  /**
   * The cache of keys that are read often.
   *
   * @param threshold the number of reads in the ring's window from which a key is kept in memory
   * @param cooldown how long a value is kept after it was loaded; it is reloaded while it is hot
   * @param maxStale the maximum age of a served value if others write to the engine
   */
  public record HotReads(Mode mode, long threshold, Duration cooldown, Duration maxStale) {}

  /**
   * The separate storage of keys that are written often.
   *
   * @param threshold the number of writes in the ring's window from which a key is stored apart
   * @param hotBuckets the number of key ranges that these keys are spread over
   * @param ring how writes are counted for this; null for {@link StoreOptions#ring}
   */
  public record Routing(Mode mode, long threshold, int hotBuckets, @Nullable RingShape ring) {}

  /**
   * The filter of absent keys.
   *
   * @param budgetPercent the maximum memory of the filter, in percent of the store's
   * @param fingerprintBits 0 for as many as the rate needs
   * @param snapshot the file that stores the filter while the store is closed, or null for none
   */
  public record Filter(
      Mode mode,
      long expectedItems,
      double falsePositiveRate,
      int budgetPercent,
      OverBudget onOverBudget,
      Growth grow,
      int fingerprintBits,
      int bucketSize,
      int maxEvictions,
      @Nullable Path snapshot) {

    /** Returns the defaults for a number of keys. */
    public static Filter of(Mode mode, long expectedItems) {
      return new Filter(
          mode, expectedItems, 0.001, 5, OverBudget.DEGRADE, Growth.REBUILD, 0, 4, 500, null);
    }

    /**
     * Returns the memory that the filter takes at most, its rebuild included.
     *
     * @param maxMemory the maximum memory of the store
     */
    public long maxBytes(long maxMemory) {
      return Math.max(1, maxMemory / 100 * budgetPercent);
    }

    /** Returns the shape of the filter. */
    FilterShape shape() {
      return new FilterShape(
          expectedItems,
          falsePositiveRate,
          fingerprintBits,
          bucketSize,
          maxEvictions,
          grow,
          onOverBudget);
    }

    /** Returns this filter, stored in a file while the store is closed. */
    public Filter keptIn(Path file) {
      return new Filter(
          mode,
          expectedItems,
          falsePositiveRate,
          budgetPercent,
          onOverBudget,
          grow,
          fingerprintBits,
          bucketSize,
          maxEvictions,
          file);
    }
  }
}
