package io.heatshield.config.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The fleet that this process counts together with. */
public record FleetSettings(
    @Setting(name = true, doc = "The fleet's name; processes of one name and one Redis are one.")
        String name,
    @Setting(
            value = "null",
            name = true,
            doc = "What this node's name begins with; absent: the name of the machine.")
        @Nullable String node,
    @Setting(
            value = "1s",
            min = "250ms",
            max = "1m",
            doc = "How often a node publishes what it counts.")
        Duration interval) {}
