package io.heatshield.insight.series;

import io.heatshield.runtime.metrics.LatencyHistogram;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counters of one scope at one time, without those that are not counted. */
final class Totals {
  private final Map<Metric, Long> counts = new EnumMap<>(Metric.class);
  // By the metric of the median.
  private final Map<Metric, long[]> latencies = new EnumMap<>(Metric.class);

  void add(Metric metric, long count) {
    counts.merge(metric, count, Long::sum);
  }

  void addLatency(Metric median, LatencyHistogram histogram) {
    latencies.merge(median, histogram.counts(), Totals::sum);
  }

  /** Writes the differences to earlier totals into a ring. */
  void write(Totals before, double seconds, Ring ring, int at) {
    counts.forEach(
        (metric, count) -> {
          long earlier = before.counts.getOrDefault(metric, 0L);
          double value = metric == Metric.HOT_KEYS ? count : Math.max(0, count - earlier) / seconds;
          ring.set(metric, at, value);
        });
    latencies.forEach(
        (median, now) -> {
          long[] during = difference(now, before.latencies.get(median));
          Metric tail = median == Metric.ANSWER_P50_MS ? Metric.ANSWER_P99_MS : Metric.STORE_P99_MS;
          ring.set(median, at, LatencyHistogram.quantileNanos(during, 0.5) / 1e6);
          ring.set(tail, at, LatencyHistogram.quantileNanos(during, 0.99) / 1e6);
        });
  }

  private static long[] difference(long[] now, long @Nullable [] before) {
    long[] during = now.clone();
    for (int i = 0; before != null && i < during.length; i++) {
      during[i] = Math.max(0, during[i] - before[i]);
    }
    return during;
  }

  private static long[] sum(long[] first, long[] second) {
    long[] sum = first.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += second[i];
    }
    return sum;
  }
}
