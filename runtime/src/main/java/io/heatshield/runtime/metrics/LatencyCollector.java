package io.heatshield.runtime.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** Shows a latency histogram to Prometheus, which reads it only when somebody scrapes. */
final class LatencyCollector implements Collector {
  private final MetricMetadata metadata;
  private final LatencyHistogram histogram;

  LatencyCollector(String name, String description, LatencyHistogram histogram) {
    this.metadata = new MetricMetadata(name, description);
    this.histogram = histogram;
  }

  @Override
  public MetricSnapshot collect() {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i <= LatencyHistogram.BOUNDS; i++) {
      buckets.bucket(LatencyHistogram.boundSeconds(i), histogram.count(i));
    }
    return new HistogramSnapshot(
        metadata,
        List.of(
            new HistogramSnapshot.HistogramDataPointSnapshot(
                buckets.build(), histogram.sumSeconds(), Labels.EMPTY, null, 0)));
  }
}
