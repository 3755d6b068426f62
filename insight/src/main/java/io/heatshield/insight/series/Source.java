package io.heatshield.insight.series;

import io.heatshield.runtime.metrics.LatencyHistogram;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts of one part of the server that the series are made from; all of them only ever rise.
 *
 * @param scope the scope they belong to; empty if they belong to none in particular
 * @param storeCalls calls that reached the store; null if that is not counted
 * @param errors requests answered with an error; null if that is not counted
 * @param answers how long requests took; null if that is not measured
 * @param store how long calls to the store took; null if that is not measured
 */
public record Source(
    String scope,
    @Nullable LongSupplier storeCalls,
    @Nullable LongSupplier errors,
    @Nullable LatencyHistogram answers,
    @Nullable LatencyHistogram store) {}
