package io.heatshield.config;

import io.heatshield.action.Mode;

/** The limit on writes to one key, of a store and of the shield. */
public record WriteLimitSettings(
    @Setting(value = "observe", live = true, doc = "Whether writes are clamped.") Mode mode,
    @Setting(
            value = "128",
            min = "1",
            max = "1000000000",
            live = true,
            doc = "The writes to one key that a window allows.")
        long perWindow,
    @Setting(
            value = "0",
            min = "0",
            max = "1000000000",
            live = true,
            doc =
                "The writes of one key in a window past which they are grouped while the clamp is"
                    + " off; 0 groups none.")
        long burstThreshold,
    @Setting(
            value = "2",
            min = "1",
            max = "1000",
            live = true,
            doc = "How many times its usual size a batch of grouped writes may have.")
        int batchMultiplier) {}
