package io.heatshield.runtime.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** Shows a histogram of sizes to Prometheus, which reads it only when somebody scrapes. */
final class SizeCollector implements Collector {
  private final MetricMetadata metadata;
  private final SizeHistogram histogram;

  SizeCollector(String name, String description, SizeHistogram histogram) {
    this.metadata = new MetricMetadata(name, description);
    this.histogram = histogram;
  }

  @Override
  public MetricSnapshot collect() {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i <= SizeHistogram.BOUNDS; i++) {
      buckets.bucket(SizeHistogram.bound(i), histogram.count(i));
    }
    return new HistogramSnapshot(
        metadata,
        List.of(
            new HistogramSnapshot.HistogramDataPointSnapshot(
                buckets.build(), histogram.sum(), Labels.EMPTY, null, 0)));
  }
}
