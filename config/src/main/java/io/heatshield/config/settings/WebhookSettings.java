package io.heatshield.config.settings;

import io.heatshield.config.value.WebhookUrl;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The webhook that is called when a key turns hot or cool. */
public record WebhookSettings(
    @Setting(
            value = "null",
            secret = true,
            doc = "The URL that events are posted to as JSON, http or https; absent: none.")
        @Nullable WebhookUrl url,
    @Setting(value = "5s", min = "100ms", max = "1m", doc = "The timeout of one attempt.")
        Duration timeout,
    @Setting(
            value = "5",
            min = "1",
            max = "20",
            doc = "The maximum number of attempts to post an event.")
        int attempts,
    @Setting(
            value = "1000",
            min = "1",
            max = "100000",
            doc =
                "The maximum number of pending events; beyond it the newest are dropped and"
                    + " counted.")
        int queue) {}
