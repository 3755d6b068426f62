package io.heatshield.config.settings;

import io.heatshield.action.Mode;
import io.heatshield.config.value.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A guarded store: its engine and its protections. */
public record StoreSettings(
    @Setting(name = true, doc = "The store's name, unique among stores.") String name,
    @Setting(value = "memory", doc = "Where the data is stored; redis uses redis.url.")
        Engine engine,
    @Setting(value = "null", doc = "The folder of a rocksdb store, which requires one.")
        @Nullable Path path,
    @Setting(
            value = "refuse",
            doc =
                "What happens when files of a rocksdb store are damaged: refuse does not start,"
                    + " salvage checks all files at the start, keeps what can be read and moves"
                    + " the old files into a subfolder.")
        Recover recover,
    @Setting(
            value = "''",
            doc =
                "The prefix of a redis store's keys in Redis; several stores in one Redis need"
                    + " different ones.")
        String prefix,
    @Setting(
            value = "1GiB",
            min = "1MiB",
            max = "16TiB",
            doc = "The maximum memory of the store; if absent, lowered to fit a small machine.")
        ByteSize maxMemory,
    @Setting(
            value = "exclusive",
            doc =
                "Whether all writers use Heatshield (exclusive) or not (shared: the filter only"
                    + " observes).")
        Writers writers,
    @Setting(value = "{}", doc = "Counts touches per key in short slots.") HotRing hotRing,
    @Setting(value = "{}", doc = "Throttles writes to one key.") WriteLimitSettings writeLimit,
    @Setting(
            value = "{mode: enforce}",
            only = {"mode", "threshold", "cooldown", "max_stale"},
            doc = "Answers reads of hot keys from memory.")
        HotReadsSettings hotReads,
    @Setting(value = "{}", doc = "Stores keys that are written often separately.") Routing routing,
    @Setting(
            value = "{mode: enforce}",
            aliases = "absence",
            doc = "Answers reads of absent keys without the engine.")
        CuckooFilterSettings cuckooFilter,
    @Setting(
            value = "64KiB",
            min = "1KiB",
            max = "512MiB",
            doc = "The maximum length of a value, and of any argument of a command.")
        ByteSize maxValue) {

  /** Where the data is stored; {@link #REDIS} is that of {@code redis.url}. */
  public enum Engine {
    MEMORY,
    ROCKSDB,
    REDIS
  }

  /** The action taken when files of a store on disk are damaged. */
  public enum Recover {
    /** The server does not start. */
    REFUSE,
    /** Readable data is kept, and the old files are moved to a subfolder. */
    SALVAGE
  }

  /** The ring that counts touches per key in short slots. */
  public record HotRing(
      @Setting(
              value = "true",
              doc = "Whether touches are counted; without it nothing is cached or throttled.")
          boolean enabled,
      @Setting(
              value = "12",
              min = "1",
              max = "20",
              doc = "The base-two logarithm of the ring's buckets.")
          int bits,
      @Setting(value = "16", min = "1", max = "10000", doc = "The number of hottest keys kept.")
          int topK,
      @Setting(
              value = "8",
              min = "0",
              max = "64",
              doc = "The number of slots of the window; 0 counts without a window.")
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
                  "How long a key stays active after its last touch, and again as long until it"
                      + " is removed; 0s is forever.")
          Duration rotation,
      @Setting(
              value = "250000",
              min = "0",
              max = "100000000",
              doc =
                  "The maximum number of keys in a generation of the ring; 0 is limited by memory"
                      + " only.")
          int nodeCap,
      @Setting(
              value = "0",
              min = "0",
              max = "31",
              doc =
                  "Admits one new key in 2 to the power of this to a full ring without a contest;"
                      + " 0 admits none.")
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

  /** The separate storage of keys that are written often. */
  public record Routing(
      @Setting(value = "observe", live = true, doc = "Whether keys are stored separately.")
          Mode mode,
      @Setting(
              value = "8",
              min = "1",
              max = "1000000000",
              live = true,
              doc = "The number of writes in a window at which a key is stored separately.")
          long threshold,
      @Setting(
              value = "4",
              min = "1",
              max = "256",
              doc = "The number of ranges that these keys are distributed over.")
          int hotBuckets,
      @Setting(value = "{}", doc = "The ring that finds these keys.") RoutingRing ring) {}

  /** The ring that finds keys that are written often. */
  public record RoutingRing(
      @Setting(value = "true", doc = "Whether this section applies and not hot_ring.")
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
              doc = "The number of slots of the window; 0 counts without a window.")
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
                  "How long a key stays active after its last write, and again as long until it"
                      + " is removed; 0s is forever.")
          Duration rotation,
      @Setting(
              value = "200000",
              min = "0",
              max = "100000000",
              doc =
                  "The maximum number of keys in a generation of the ring; 0 is limited by memory"
                      + " only.")
          int nodeCap) {}
}
