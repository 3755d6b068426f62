package io.heatshield.insight.series;

import io.heatshield.runtime.metrics.LatencyHistogram;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counts of one scope at one moment; those that are not counted are absent. */
final class Totals {
  private final Map<Metric, Long> counts = new EnumMap<>(Metric.class);
  private long @Nullable [] answers;
  private long @Nullable [] store;

  void add(Metric metric, long count) {
    counts.merge(metric, count, Long::sum);
  }

  void addAnswers(LatencyHistogram histogram) {
    answers = plus(answers, histogram.counts());
  }

  void addStore(LatencyHistogram histogram) {
    store = plus(store, histogram.counts());
  }

  /** Writes what happened since an earlier moment into a ring. */
  void write(Totals before, double seconds, Ring ring, int at) {
    counts.forEach(
        (metric, count) -> {
          long earlier = before.counts.getOrDefault(metric, 0L);
          double value = metric == Metric.HOT_KEYS ? count : Math.max(0, count - earlier) / seconds;
          ring.set(metric, at, value);
        });
    write(answers, before.answers, Metric.ANSWER_P50_MS, Metric.ANSWER_P99_MS, ring, at);
    write(store, before.store, Metric.STORE_P50_MS, Metric.STORE_P99_MS, ring, at);
  }

  private static void write(
      long @Nullable [] now,
      long @Nullable [] before,
      Metric median,
      Metric tail,
      Ring ring,
      int at) {
    if (now == null) {
      return;
    }
    long[] during = now.clone();
    for (int i = 0; before != null && i < during.length; i++) {
      during[i] = Math.max(0, during[i] - before[i]);
    }
    ring.set(median, at, LatencyHistogram.quantileNanos(during, 0.5) / 1e6);
    ring.set(tail, at, LatencyHistogram.quantileNanos(during, 0.99) / 1e6);
  }

  private static long[] plus(long @Nullable [] sum, long[] more) {
    if (sum == null) {
      return more;
    }
    for (int i = 0; i < sum.length; i++) {
      sum[i] += more[i];
    }
    return sum;
  }
}
