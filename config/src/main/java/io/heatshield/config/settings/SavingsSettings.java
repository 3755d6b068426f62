package io.heatshield.config.settings;

import org.jspecify.annotations.Nullable;

/** The price of a saved call. */
public record SavingsSettings(
    @Setting(
            value = "null",
            min = "0",
            max = "1000000000",
            live = true,
            doc = "The price of a million calls; absent: savings are shown in calls only.")
        @Nullable Double pricePerMillionCalls,
    @Setting(value = "USD", name = true, live = true, doc = "The currency of the price.")
        String currency) {}
