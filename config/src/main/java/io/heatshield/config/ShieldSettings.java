package io.heatshield.config;

import io.heatshield.action.Mode;
import io.heatshield.redis.RedisUrl;
import java.time.Duration;

/** The shield in front of a Redis: where that is, and what keeps hot keys from hurting it. */
public record ShieldSettings(
    @Setting(
            secret = true,
            doc =
                "The Redis behind the RESP door: redis://, rediss:// (TLS), redis-cluster:// or"
                    + " redis-sentinel://, without a database; its user and password are for the"
                    + " shield itself, clients bring their own.")
        RedisUrl url,
    @Setting(
            value = "shared",
            doc =
                "Whether all writers come through Heatshield (exclusive) or not (shared: absence is"
                    + " only observed).")
        StoreSettings.Writers writers,
    @Setting(
            value = "6s",
            min = "1s",
            max = "10m",
            doc =
                "How long the Redis may leave a command that does not block without an answer; with"
                    + " less than its busy-reply-threshold (5s), long scripts are cut off.")
        Duration timeout,
    @Setting(
            value = "256MiB",
            min = "1MiB",
            max = "16TiB",
            doc = "The most memory that hot values, rings and filter may take.")
        ByteSize maxMemory,
    @Setting(value = "{}", doc = "Answers reads of hot keys from memory.") HotReads hotReads,
    @Setting(value = "{}", doc = "Clamps writes to one key.") WriteLimit writeLimit,
    @Setting(value = "{}", doc = "Answers reads of absent keys without the Redis.")
        Absence absence) {

  /** The memory of hot keys. */
  public record HotReads(
      @Setting(
              value = "observe",
              live = true,
              doc = "Whether reads of hot keys are answered from memory.")
          Mode mode,
      @Setting(
              value = "16",
              min = "1",
              max = "1000000000",
              live = true,
              doc = "The reads in two seconds from which a key is kept in memory.")
          long threshold,
      @Setting(
              value = "1s",
              min = "0s",
              max = "1h",
              live = true,
              doc = "The oldest value that a read may get.")
          Duration maxStale,
      @Setting(
              value = "64KiB",
              min = "1",
              max = "16MiB",
              doc = "The longest value that is kept in memory.")
          ByteSize maxValue) {}

  /** The clamp on writes to one key. */
  public record WriteLimit(
      @Setting(value = "observe", live = true, doc = "Whether writes are clamped.") Mode mode,
      @Setting(
              value = "128",
              min = "1",
              max = "1000000000",
              live = true,
              doc = "The writes to one key that two seconds allow.")
          long perWindow) {}

  /** The filter that knows which keys are absent. */
  public record Absence(
      @Setting(
              value = "observe",
              live = true,
              doc =
                  "Whether reads of absent keys are answered without the Redis; any other than off"
                      + " walks through all keys of its database once.")
          Mode mode,
      @Setting(
              value = "1000000",
              min = "1",
              max = "1000000000",
              doc = "The keys that the filter is made for.")
          long expectedItems) {}
}
