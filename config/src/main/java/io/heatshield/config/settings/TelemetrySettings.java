package io.heatshield.config.settings;

import io.heatshield.config.value.WebhookUrl;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Metrics and spans that are sent to an OpenTelemetry collector. */
public record TelemetrySettings(
    @Setting(
            value = "null",
            secret = true,
            doc =
                "The OTLP endpoint, http or https, to which /v1/metrics and /v1/traces are"
                    + " added; absent: nothing is sent.")
        @Nullable WebhookUrl otlp,
    @Setting(
            value = "null",
            doc = "A file of headers for the endpoint, one `Name: value` per line; absent: none.")
        @Nullable Path headersFile,
    @Setting(value = "60s", min = "1s", max = "1h", doc = "How often metrics are sent.")
        Duration metricsInterval,
    @Setting(
            value = "0.01",
            min = "0",
            max = "1",
            doc =
                "The fraction of rate-limit calls and shield commands that get a span; a call"
                    + " with a W3C trace context follows that instead.")
        double sampleRatio) {}
