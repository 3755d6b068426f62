package io.heatshield.insight.series;

import io.heatshield.runtime.metrics.LatencyHistogram;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The monotonic counters of one component of the server.
 *
 * @param scope the scope of the counters, or empty
 * @param storeCalls calls to the store; null if not counted
 * @param errors requests answered with an error; null if not counted
 * @param answers the latency of requests; null if not measured
 * @param store the latency of calls to the store; null if not measured
 */
public record Source(
    String scope,
    @Nullable LongSupplier storeCalls,
    @Nullable LongSupplier errors,
    @Nullable LatencyHistogram answers,
    @Nullable LatencyHistogram store) {}
