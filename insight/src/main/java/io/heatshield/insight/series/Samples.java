package io.heatshield.insight.series;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one scope, oldest first.
 *
 * @param times when each was taken, in Unix milliseconds
 * @param values what each showed, null where it was not measured
 */
public record Samples(List<Long> times, Map<Metric, List<@Nullable Float>> values) {}
