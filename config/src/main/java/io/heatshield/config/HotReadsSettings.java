package io.heatshield.config;

import io.heatshield.action.Mode;
import java.time.Duration;

/** The values of hot keys kept in memory, of a store and of the shield. */
public record HotReadsSettings(
    @Setting(value = "observe", live = true, doc = "Whether reads of hot keys are cached.")
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
        Duration maxStale,
    @Setting(
            value = "64KiB",
            min = "1",
            max = "16MiB",
            doc = "The longest value that is kept in memory.")
        ByteSize maxValue) {}
