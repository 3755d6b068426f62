package io.heatshield.config;

import io.heatshield.redis.RedisUrl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The Redis that holds shared state. */
public record RedisSettings(
    @Setting(
            value = "null",
            secret = true,
            doc =
                "Where Redis is: redis://, rediss:// (TLS), redis-cluster:// or redis-sentinel://;"
                    + " absent: everything stays in this process.")
        @Nullable RedisUrl url,
    @Setting(
            value = "null",
            secret = true,
            doc = "A second Redis for limits per second; absent: the first one holds them too.")
        @Nullable RedisUrl perSecondUrl,
    @Setting(
            value = "10ms",
            min = "1ms",
            max = "10s",
            doc = "How long one answer may wait for Redis.")
        Duration timeout,
    @Setting(
            value = "local",
            live = true,
            doc =
                "What happens while Redis does not answer: local counts in this process, open"
                    + " lets callers pass, closed refuses them.")
        OnFailure onFailure) {

  /** What happens while Redis does not answer. */
  public enum OnFailure {
    /** Counts in this process. */
    LOCAL,
    /** Lets callers pass. */
    OPEN,
    /** Refuses callers. */
    CLOSED
  }
}
