package io.heatshield.config;

import io.heatshield.action.Mode;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A guarded store: its engine, and what keeps hot keys from hurting it. */
public record StoreSettings(
    @Setting(name = true, doc = "The store's name, unique among stores.") String name,
    @Setting(value = "memory", doc = "What holds the data; redis uses redis.url.") Engine engine,
    @Setting(value = "null", doc = "The folder of a rocksdb store, which needs one.")
        @Nullable Path path,
    @Setting(
            value = "refuse",
            doc =
                "What happens when files of a rocksdb store are damaged: refuse does not start,"
                    + " salvage checks all files at the start, keeps what can be read and moves the"
                    + " old files into a subfolder.")
        Recover recover,
    @Setting(
            value = "''",
            doc =
                "What the names of a redis store's keys begin with in Redis; several stores there"
                    + " need one each.")
        String prefix,
    @Setting(
            value = "1GiB",
            min = "1MiB",
            max = "16TiB",
            doc = "The most memory that the store may take.")
        ByteSize maxMemory,
    @Setting(
            value = "exclusive",
            doc =
                "Whether all writers come through Heatshield (exclusive) or not (shared: the"
                    + " filter only observes).")
        Writers writers,
    @Setting(value = "{}", doc = "Counts touches per key in short slots.") HotRing hotRing,
    @Setting(value = "{}", doc = "Clamps writes to one key.") WriteLimit writeLimit,
    @Setting(value = "{}", doc = "Answers reads of hot keys from memory.") HotReads hotReads,
    @Setting(value = "{}", doc = "Keeps keys that are written often apart.") Routing routing,
    @Setting(value = "{}", doc = "Answers reads of absent keys without the engine.")
        CuckooFilter cuckooFilter,
    @Setting(
            value = "64KiB",
            min = "1KiB",
            max = "512MiB",
            doc = "The longest value, and the longest word of a command.")
        ByteSize maxValue) {

  /** What holds the data. */
  public enum Engine {
    /** This process. */
    MEMORY,
    /** RocksDB, in a folder of this machine. */
    ROCKSDB,
    /** The Redis of {@code redis.url}. */
    REDIS
  }

  /** What happens when files of a store on disk are damaged. */
  public enum Recover {
    /** Does not start. */
    REFUSE,
    /** Keeps what can be read and moves the old files aside. */
    SALVAGE
  }

  /** Who writes to the store. */
  public enum Writers {
    /** Only clients of Heatshield. */
    EXCLUSIVE,
    /** Others too. */
    SHARED
  }

  /** The ring that counts touches per key in short slots. */
  public record HotRing(
      @Setting(
              value = "true",
              doc = "Whether touches are counted, without which nothing is cached or clamped.")
          boolean enabled,
      @Setting(
              value = "12",
              min = "1",
              max = "20",
              doc = "The base-two logarithm of the ring's buckets.")
          int bits,
      @Setting(value = "16", min = "1", max = "10000", doc = "The hottest keys kept.") int topK,
      @Setting(
              value = "8",
              min = "0",
              max = "64",
              doc = "The slots of the window; 0 counts without one.")
          int windowSlots,
      @Setting(
              value = "250ms",
              min = "0s",
              max = "1h",
              doc = "The length of one slot; 0s counts without a window.")
          Duration slot,
      @Setting(
              value = "30m",
              min = "0s",
              max = "7d",
              doc =
                  "How long a key that nobody touches stays active, and once more as long until it"
                      + " leaves; 0s is for ever.")
          Duration rotation,
      @Setting(
              value = "250000",
              min = "0",
              max = "100000000",
              doc = "The most keys in a generation of the ring; 0 for as many as its memory holds.")
          int nodeCap,
      @Setting(
              value = "0",
              min = "0",
              max = "31",
              doc =
                  "Lets one newcomer in 2 to the power of this into a full ring without a contest;"
                      + " 0 lets none.")
          int sampleBits,
      @Setting(
              value = "0s",
              min = "0s",
              max = "24h",
              doc = "How often counts decay if there is no window; 0s is never.")
          Duration decayInterval,
      @Setting(
              value = "0",
              min = "0",
              max = "31",
              doc = "How many times a count is halved when it decays.")
          int decayShift) {}

  /** The clamp on writes to one key. */
  public record WriteLimit(
      @Setting(value = "observe", live = true, doc = "Whether writes are clamped.") Mode mode,
      @Setting(
              value = "128",
              min = "1",
              max = "1000000000",
              live = true,
              doc = "The writes to one key that a window allows.")
          long perWindow,
      @Setting(
              value = "0",
              min = "0",
              max = "1000000000",
              live = true,
              doc =
                  "The writes of one key in a window past which they are grouped while the clamp is"
                      + " off; 0 groups none.")
          long burstThreshold,
      @Setting(
              value = "2",
              min = "1",
              max = "1000",
              live = true,
              doc = "How many times its usual size a batch of grouped writes may have.")
          int batchMultiplier) {}

  /** The cache of hot keys. */
  public record HotReads(
      @Setting(value = "enforce", live = true, doc = "Whether reads of hot keys are cached.")
          Mode mode,
      @Setting(
              value = "16",
              min = "1",
              max = "1000000000",
              live = true,
              doc = "The touches in a window from which a key is cached.")
          long threshold,
      @Setting(
              value = "15s",
              min = "0s",
              max = "24h",
              live = true,
              doc = "How long a value is kept; while its key is hot it is loaded anew before that.")
          Duration cooldown,
      @Setting(
              value = "1s",
              min = "0s",
              max = "1h",
              live = true,
              doc = "The oldest value that a read may get.")
          Duration maxStale) {}

  /** How keys that are written often are kept apart. */
  public record Routing(
      @Setting(value = "observe", live = true, doc = "Whether keys are kept apart.") Mode mode,
      @Setting(
              value = "8",
              min = "1",
              max = "1000000000",
              live = true,
              doc = "The writes in a window from which a key is kept apart.")
          long threshold,
      @Setting(
              value = "4",
              min = "1",
              max = "256",
              doc = "The ranges over which the keys that are kept apart are spread.")
          int hotBuckets,
      @Setting(value = "{}", doc = "The ring that finds these keys.") RoutingRing ring) {}

  /** The ring that finds keys to be kept apart. */
  public record RoutingRing(
      @Setting(
              value = "true",
              doc = "Whether the ring is as this section says, and not as hot_ring does.")
          boolean override,
      @Setting(
              value = "12",
              min = "0",
              max = "20",
              doc = "The base-two logarithm of the ring's buckets; 0 for 12.")
          int bits,
      @Setting(
              value = "6",
              min = "0",
              max = "64",
              doc = "The slots of the window; 0 counts without one.")
          int windowSlots,
      @Setting(
              value = "100ms",
              min = "0s",
              max = "1h",
              doc = "The length of one slot; 0s counts without a window.")
          Duration slot,
      @Setting(
              value = "10m",
              min = "0s",
              max = "7d",
              doc =
                  "How long a key that nobody writes stays active, and once more as long until it"
                      + " leaves; 0s is for ever.")
          Duration rotation,
      @Setting(
              value = "200000",
              min = "0",
              max = "100000000",
              doc = "The most keys in a generation of the ring; 0 for as many as its memory holds.")
          int nodeCap) {}

  /** The filter that knows which keys are absent. */
  public record CuckooFilter(
      @Setting(value = "true", doc = "Whether the store has a filter.") boolean enabled,
      @Setting(value = "enforce", live = true, doc = "Whether the filter answers reads.") Mode mode,
      @Setting(
              value = "1000000",
              min = "1",
              max = "10000000000",
              doc = "The keys the filter is made for.")
          long expectedItems,
      @Setting(
              value = "0.001",
              above = "0",
              below = "1",
              doc = "The part of absent keys that may still reach the engine.")
          double falsePositiveRate,
      @Setting(
              value = "5",
              min = "1",
              max = "10",
              doc = "The part of the store's memory that the filter may take, in percent.")
          int memoryBudgetPercent,
      @Setting(
              value = "degrade",
              doc =
                  "What happens when the filter does not fit: degrade takes shorter fingerprints,"
                      + " refuse does not start.")
          OnOverBudget onOverBudget,
      @Setting(
              value = "rebuild",
              doc =
                  "What happens when the filter is full: rebuild makes a larger one, chain adds one"
                      + " beside it, refuse leaves it as it is.")
          Grow grow,
      @Setting(
              value = "auto",
              aliases = "fingerprint_size",
              doc = "The bits of a fingerprint, 4 to 32; auto derives them from the rate.")
          FingerprintBits fingerprintBits,
      @Setting(value = "4", min = "1", max = "8", doc = "The fingerprints in a bucket.")
          int bucketSize,
      @Setting(
              value = "500",
              min = "1",
              max = "100000",
              aliases = "max_eviction_attempts",
              doc = "The moves tried before the filter counts as full.")
          int maxEvictions) {}

  /** What happens when a filter does not fit its budget. */
  public enum OnOverBudget {
    /** Takes shorter fingerprints. */
    DEGRADE,
    /** Does not start. */
    REFUSE
  }

  /** What happens when a filter is full. */
  public enum Grow {
    /** Makes a larger one from the store. */
    REBUILD,
    /** Adds a further filter beside the full one. */
    CHAIN,
    /** Leaves it as it is; keys that found no place are taken for present. */
    REFUSE
  }
}
