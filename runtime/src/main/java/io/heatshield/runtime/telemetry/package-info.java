/** Metrics and spans for an OpenTelemetry collector, by OTLP; off unless an endpoint is set. */
@NullMarked
package io.heatshield.runtime.telemetry;

import org.jspecify.annotations.NullMarked;
