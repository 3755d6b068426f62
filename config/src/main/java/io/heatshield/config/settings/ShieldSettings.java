package io.heatshield.config.settings;

import io.heatshield.config.value.ByteSize;
import io.heatshield.redis.RedisUrl;
import java.time.Duration;

/** The shield in front of a Redis, and its protections. */
public record ShieldSettings(
    @Setting(
            secret = true,
            doc =
                "The URL of the Redis behind the RESP port: redis://, rediss:// (TLS),"
                    + " redis-cluster:// or redis-sentinel://, without a database; its user and"
                    + " password are for the shield itself, clients use their own.")
        RedisUrl url,
    @Setting(
            value = "shared",
            doc =
                "Whether all writers use Heatshield (exclusive) or not (shared: the filter only"
                    + " observes).")
        Writers writers,
    @Setting(
            value = "6s",
            min = "1s",
            max = "10m",
            doc =
                "The timeout of a command that does not block; with less than the"
                    + " busy-reply-threshold of the Redis (5s), long scripts are cut off.")
        Duration timeout,
    @Setting(
            value = "256MiB",
            min = "1MiB",
            max = "16TiB",
            doc =
                "The maximum memory of hot values, rings and filter; if absent, lowered to fit a"
                    + " small machine.")
        ByteSize maxMemory,
    @Setting(
            value = "{}",
            only = {"mode", "threshold", "max_stale", "max_value"},
            doc = "Answers reads of hot keys from memory; its window is two seconds.")
        HotReadsSettings hotReads,
    @Setting(
            value = "{}",
            only = {"mode", "per_window"},
            doc = "Throttles writes to one key; its window is two seconds.")
        WriteLimitSettings writeLimit,
    @Setting(
            value = "{}",
            only = {"mode", "expected_items"},
            aliases = "absence",
            doc =
                "Answers reads of absent keys without the Redis; any mode other than off scans"
                    + " all keys of its database once.")
        CuckooFilterSettings cuckooFilter) {}
