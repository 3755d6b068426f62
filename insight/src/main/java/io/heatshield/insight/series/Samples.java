package io.heatshield.insight.series;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one scope, oldest first.
 *
 * @param times the time of each sample, in Unix milliseconds
 * @param values the values of each metric, null where not measured
 */
public record Samples(List<Long> times, Map<Metric, List<@Nullable Float>> values) {}
