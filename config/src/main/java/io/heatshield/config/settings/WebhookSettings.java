package io.heatshield.config.settings;

import io.heatshield.config.value.WebhookUrl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The call to another program when a key turns hot or cools. */
public record WebhookSettings(
    @Setting(
            value = "null",
            secret = true,
            doc = "Where each turn of a key is posted to as JSON, http or https; absent: nowhere.")
        @Nullable WebhookUrl url,
    @Setting(value = "5s", min = "100ms", max = "1m", doc = "How long one attempt may take in all.")
        Duration timeout,
    @Setting(
            value = "5",
            min = "1",
            max = "20",
            doc = "How often a turn is posted before it is given up.")
        int attempts,
    @Setting(
            value = "1000",
            min = "1",
            max = "100000",
            doc = "The most turns that wait; past that the newest are dropped and counted.")
        int queue) {}
