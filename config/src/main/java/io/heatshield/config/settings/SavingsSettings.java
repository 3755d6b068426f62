package io.heatshield.config.settings;

import org.jspecify.annotations.Nullable;

/** What a saved call is worth. */
public record SavingsSettings(
    @Setting(
            value = "null",
            min = "0",
            max = "1000000000",
            live = true,
            doc = "The price of a million calls; absent: savings are told in calls alone.")
        @Nullable Double pricePerMillionCalls,
    @Setting(
            value = "USD",
            name = true,
            live = true,
            doc = "The currency of the price, as it is shown.")
        String currency) {}
