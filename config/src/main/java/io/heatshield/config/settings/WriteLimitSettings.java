package io.heatshield.config.settings;

import io.heatshield.action.Mode;

/** The limit of writes to one key; of a store or of the shield. */
public record WriteLimitSettings(
    @Setting(value = "observe", live = true, doc = "Whether writes are throttled.") Mode mode,
    @Setting(
            value = "128",
            min = "1",
            max = "1000000000",
            live = true,
            doc = "The number of writes to one key allowed in a window.")
        long perWindow,
    @Setting(
            value = "0",
            min = "0",
            max = "1000000000",
            live = true,
            doc =
                "The number of writes to one key in a window above which they are grouped while"
                    + " throttling is off; 0 groups none.")
        long burstThreshold,
    @Setting(
            value = "2",
            min = "1",
            max = "1000",
            live = true,
            doc =
                "The maximum size of a batch of grouped writes, as a multiple of the usual"
                    + " size.")
        int batchMultiplier) {}
