package io.heatshield.config;

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
        Writers writers,
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
    @Setting(
            value = "{}",
            only = {"mode", "threshold", "max_stale", "max_value"},
            doc = "Answers reads of hot keys from memory; its window is two seconds.")
        HotReadsSettings hotReads,
    @Setting(
            value = "{}",
            only = {"mode", "per_window"},
            doc = "Clamps writes to one key; its window is two seconds.")
        WriteLimitSettings writeLimit,
    @Setting(
            value = "{}",
            only = {"mode", "expected_items"},
            aliases = "absence",
            doc =
                "Answers reads of absent keys without the Redis; any mode other than off walks"
                    + " through all keys of its database once.")
        CuckooFilterSettings cuckooFilter) {}
