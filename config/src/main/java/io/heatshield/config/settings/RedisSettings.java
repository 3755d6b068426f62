package io.heatshield.config.settings;

import io.heatshield.redis.RedisUrl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The Redis that holds shared state. */
public record RedisSettings(
    @Setting(
            value = "null",
            secret = true,
            doc =
                "The URL of Redis: redis://, rediss:// (TLS), redis-cluster:// or"
                    + " redis-sentinel://; absent: all state is in this process.")
        @Nullable RedisUrl url,
    @Setting(
            value = "null",
            secret = true,
            doc =
                "The URL of a second Redis for limits per second; absent: the first one is"
                    + " used.")
        @Nullable RedisUrl perSecondUrl,
    @Setting(
            value = "10ms",
            min = "1ms",
            max = "10s",
            doc = "How long one request may wait for Redis.")
        Duration timeout,
    @Setting(
            value = "local",
            live = true,
            doc =
                "What happens while Redis is unavailable: local counts in this process, open"
                    + " allows all calls, closed rejects them.")
        OnFailure onFailure) {

  /** The policy for calls while Redis is unavailable. */
  public enum OnFailure {
    /** Counts in this process. */
    LOCAL,
    /** Allows all calls. */
    OPEN,
    /** Rejects all calls. */
    CLOSED
  }
}
