package io.heatshield.config.settings;

import io.heatshield.action.Mode;
import io.heatshield.config.value.ByteSize;
import java.time.Duration;

/** The cache of hot values; of a store or of the shield. */
public record HotReadsSettings(
    @Setting(value = "observe", live = true, doc = "Whether reads of hot keys are cached.")
        Mode mode,
    @Setting(
            value = "16",
            min = "1",
            max = "1000000000",
            live = true,
            doc = "The number of touches in a window at which a key is cached.")
        long threshold,
    @Setting(
            value = "15s",
            min = "0s",
            max = "24h",
            live = true,
            doc = "How long a value is kept; while its key is hot it is reloaded before that.")
        Duration cooldown,
    @Setting(
            value = "1s",
            min = "0s",
            max = "1h",
            live = true,
            doc = "The maximum age of a value that a read may return.")
        Duration maxStale,
    @Setting(
            value = "64KiB",
            min = "1",
            max = "16MiB",
            doc = "The maximum size of a value that is cached.")
        ByteSize maxValue) {}
