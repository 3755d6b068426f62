package io.heatshield.config.settings;

import io.heatshield.action.Mode;
import io.heatshield.config.value.ByteSize;
import java.nio.file.Path;
import java.time.Duration;

/** The rate-limit service: its rules and counters. */
public record LimitsSettings(
    @Setting(value = "./limits/", doc = "The folder of Envoy rate-limit files.") Path config,
    @Setting(value = "memory", env = "BACKEND_TYPE", doc = "Where counters are stored.")
        Backend backend,
    @Setting(
            value = "1000000",
            min = "1",
            max = "100000000",
            doc =
                "The maximum number of counters in memory; if absent, lowered to fit a small"
                    + " machine.")
        int maxCounters,
    @Setting(value = "{}", doc = "How limits with a hot key are handled.") HotKeys hotKeys,
    @Setting(
            value = "300s",
            min = "0s",
            max = "24h",
            env = "EXPIRATION_JITTER_MAX_SECONDS",
            doc = "The maximum random time added to the expiry of a counter in Redis.")
        Duration expirationJitter,
    @Setting(
            value = "0",
            max = "64GiB",
            env = "LOCAL_CACHE_SIZE_IN_BYTES",
            doc = "The memory for keys that are over their limit; 0 disables it.")
        ByteSize localCache,
    @Setting(
            value = "0.8",
            above = "0",
            max = "1",
            live = true,
            env = "NEAR_LIMIT_RATIO",
            doc = "The fraction of a limit at which a key counts as near it.")
        double nearLimitRatio,
    @Setting(
            value = "''",
            env = "CACHE_KEY_PREFIX",
            doc = "The prefix of every counter's name in Redis.")
        String cacheKeyPrefix,
    @Setting(
            value = "false",
            env = "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT",
            doc =
                "Does not increment the counters of a request once one of its limits is"
                    + " exceeded.")
        boolean stopCacheKeyIncrementWhenOverlimit,
    @Setting(value = "{}", doc = "The response headers with the limit.")
        ResponseHeaders responseHeaders,
    @Setting(
            value = "false",
            live = true,
            env = "SHADOW_MODE",
            doc = "Replies OK to every request, and counts those that would have been over limit.")
        boolean shadowMode,
    @Setting(
            value = "false",
            live = true,
            env = "QUOTA_MODE",
            doc = "Treats every rule as a rule in quota mode.")
        boolean quotaMode,
    @Setting(
            value = "false",
            env = "RESPONSE_DYNAMIC_METADATA",
            doc = "Adds the request and the decision to the dynamic metadata of responses.")
        boolean dynamicMetadata,
    @Setting(
            value = "false",
            env = "MERGE_DOMAIN_CONFIG",
            doc = "Merges files of the same domain instead of rejecting the second.")
        boolean mergeDomains,
    @Setting(
            value = "false",
            env = "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED",
            doc = "Whether the server is ready only while there are rules for a domain.")
        boolean requireDomain) {

  /** Where counters are stored: in this process, or in Redis for all processes. */
  public enum Backend {
    MEMORY,
    REDIS
  }

  /** The handling of limits whose key is hot. */
  public record HotKeys(
      @Setting(value = "observe", live = true, doc = "Whether calls for hot limits are coalesced.")
          Mode mode,
      @Setting(
              value = "10MiB",
              min = "1KiB",
              max = "4GiB",
              env = "HOT_KEY_SKETCH_MEMORY_BYTES",
              doc = "The memory of the sketch.")
          ByteSize sketchMemory,
      @Setting(
              value = "4",
              min = "2",
              max = "16",
              env = "HOT_KEY_SKETCH_DEPTH",
              doc = "The rows of the sketch.")
          int depth,
      @Setting(
              value = "100",
              min = "1",
              max = "1000000000",
              live = true,
              env = "HOT_KEY_THRESHOLD",
              doc = "The count at which a limit's key turns hot.")
          long threshold,
      @Setting(
              value = "10000",
              min = "1",
              max = "10000000",
              env = "HOT_KEY_MAX_COUNT",
              doc = "The maximum number of hot keys.")
          int maxKeys,
      @Setting(
              value = "300us",
              min = "0s",
              max = "1s",
              live = true,
              env = "HOT_KEY_FLUSH_WINDOW",
              doc =
                  "How long calls for a hot key are collected before they are sent to the backend"
                      + " as one.")
          Duration flushWindow,
      @Setting(
              value = "1024",
              min = "1",
              max = "1000000",
              live = true,
              doc =
                  "The number of calls at which a batch is sent early, if the window before was"
                      + " unused; a batch has at most sixteen times as many.")
          int maxBatch,
      @Setting(
              value = "10s",
              min = "1ms",
              max = "24h",
              env = "HOT_KEY_DECAY_INTERVAL",
              doc = "How often counts are halved.")
          Duration decayInterval) {}

  /** The headers that tell a caller about its limit. */
  public record ResponseHeaders(
      @Setting(
              value = "false",
              env = "LIMIT_RESPONSE_HEADERS_ENABLED",
              doc = "Whether the headers are sent.")
          boolean enabled,
      @Setting(
              value = "RateLimit-Limit",
              name = true,
              env = "LIMIT_LIMIT_HEADER",
              doc = "The header that holds the limit.")
          String limit,
      @Setting(
              value = "RateLimit-Remaining",
              name = true,
              env = "LIMIT_REMAINING_HEADER",
              doc = "The header that holds the remaining part of the limit.")
          String remaining,
      @Setting(
              value = "RateLimit-Reset",
              name = true,
              env = "LIMIT_RESET_HEADER",
              doc = "The header that holds the seconds until the limit is reset.")
          String reset) {}
}
