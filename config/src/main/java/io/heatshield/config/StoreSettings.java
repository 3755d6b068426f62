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
    @Setting(value = "{}", doc = "Clamps writes to one key.") WriteLimitSettings writeLimit,
    @Setting(
            value = "{mode: enforce}",
            only = {"mode", "threshold", "cooldown", "max_stale"},
            doc = "Answers reads of hot keys from memory.")
        HotReadsSettings hotReads,
    @Setting(value = "{}", doc = "Keeps keys that are written often apart.") Routing routing,
    @Setting(
            value = "{mode: enforce}",
            aliases = "absence",
            doc = "Answers reads of absent keys without the engine.")
        CuckooFilterSettings cuckooFilter,
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
}
