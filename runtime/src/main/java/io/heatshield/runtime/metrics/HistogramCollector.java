package io.heatshield.runtime.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Shows a histogram to Prometheus, which reads it only when somebody scrapes.
 *
 * @param fill adds the buckets, and returns the sum of what was recorded
 */
record HistogramCollector(
    MetricMetadata metadata, ToDoubleFunction<ClassicHistogramBuckets.Builder> fill)
    implements Collector {

  @Override
  public MetricSnapshot collect() {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    double sum = fill.applyAsDouble(buckets);
    return new HistogramSnapshot(
        metadata,
        List.of(
            new HistogramSnapshot.HistogramDataPointSnapshot(
                buckets.build(), sum, Labels.EMPTY, null, 0)));
  }
}
