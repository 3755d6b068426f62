package io.heatshield.config.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The fleet that shares its counts with this process. */
public record FleetSettings(
    @Setting(
            name = true,
            doc = "The fleet's name; processes with the same name and Redis are one fleet.")
        String name,
    @Setting(
            value = "null",
            name = true,
            doc = "The prefix of this node's name; absent: the name of the machine.")
        @Nullable String node,
    @Setting(
            value = "1s",
            min = "250ms",
            max = "1m",
            doc = "How often a node publishes its counts.")
        Duration interval) {}
