package io.heatshield.runtime.telemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableDoublePointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableGaugeData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableHistogramData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableHistogramPointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableSumData;
import io.opentelemetry.sdk.resources.Resource;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Converts the metrics of the Prometheus registry to OpenTelemetry, with the same names and labels.
 * Called by the exporter's thread.
 *
 * <p>A counter becomes a cumulative sum without {@code _total} in its name, which a Prometheus that
 * receives OTLP adds again. The count and the sum of a summary are sent as counters.
 */
final class SnapshotMetrics implements MetricProducer {
  private static final InstrumentationScopeInfo SCOPE =
      InstrumentationScopeInfo.create("io.heatshield");

  private final Supplier<MetricSnapshots> source;
  private final Clock clock;
  private final long startNanos;

  SnapshotMetrics(Supplier<MetricSnapshots> source, Clock clock) {
    this.source = source;
    this.clock = clock;
    this.startNanos = nanos(clock);
  }

  @Override
  public Collection<MetricData> produce(Resource resource) {
    var all = new ArrayList<MetricData>();
    long now = nanos(clock);
    for (MetricSnapshot snapshot : source.get()) {
      String name = snapshot.getMetadata().getPrometheusName();
      if (snapshot instanceof CounterSnapshot counter) {
        all.add(
            sum(
                resource,
                snapshot,
                name,
                points(counter.getDataPoints(), now, point -> point.getValue())));
      } else if (snapshot instanceof GaugeSnapshot gauge) {
        all.add(
            gauge(
                resource,
                snapshot,
                name,
                points(gauge.getDataPoints(), now, point -> point.getValue())));
      } else if (snapshot instanceof InfoSnapshot info) {
        all.add(
            gauge(
                resource, snapshot, name + "_info", points(info.getDataPoints(), now, point -> 1)));
      } else if (snapshot instanceof HistogramSnapshot histogram) {
        all.add(histogram(resource, histogram, name, now));
      } else if (snapshot instanceof SummarySnapshot summary) {
        var counts = points(summary.getDataPoints(), now, point -> (double) point.getCount());
        var sums = points(summary.getDataPoints(), now, point -> point.getSum());
        all.add(sum(resource, snapshot, name + "_count", counts));
        all.add(sum(resource, snapshot, name + "_sum", sums));
      }
    }
    return all;
  }

  private static MetricData sum(
      Resource resource, MetricSnapshot snapshot, String name, List<DoublePointData> points) {
    return ImmutableMetricData.createDoubleSum(
        resource,
        SCOPE,
        name,
        help(snapshot),
        "",
        ImmutableSumData.create(true, AggregationTemporality.CUMULATIVE, points));
  }

  private static MetricData gauge(
      Resource resource, MetricSnapshot snapshot, String name, List<DoublePointData> points) {
    return ImmutableMetricData.createDoubleGauge(
        resource, SCOPE, name, help(snapshot), "", ImmutableGaugeData.create(points));
  }

  private MetricData histogram(
      Resource resource, HistogramSnapshot histogram, String name, long now) {
    var points = new ArrayList<HistogramPointData>();
    for (HistogramSnapshot.HistogramDataPointSnapshot point : histogram.getDataPoints()) {
      ClassicHistogramBuckets buckets = point.getClassicBuckets();
      var bounds = new ArrayList<Double>();
      var counts = new ArrayList<Long>();
      for (int i = 0; i < buckets.size(); i++) {
        counts.add(buckets.getCount(i));
        if (!Double.isInfinite(buckets.getUpperBound(i))) {
          bounds.add(buckets.getUpperBound(i));
        }
      }
      points.add(
          ImmutableHistogramPointData.create(
              startNanos,
              now,
              attributes(point.getLabels()),
              point.getSum(),
              false,
              0,
              false,
              0,
              bounds,
              counts));
    }
    return ImmutableMetricData.createDoubleHistogram(
        resource,
        SCOPE,
        name,
        help(histogram),
        "",
        ImmutableHistogramData.create(AggregationTemporality.CUMULATIVE, points));
  }

  /** Returns a point for each data point of a snapshot. */
  private <P extends DataPointSnapshot> List<DoublePointData> points(
      List<P> from, long now, ToDoubleFunction<P> value) {
    var points = new ArrayList<DoublePointData>();
    for (P point : from) {
      Attributes attributes = attributes(point.getLabels());
      points.add(
          ImmutableDoublePointData.create(startNanos, now, attributes, value.applyAsDouble(point)));
    }
    return points;
  }

  private static Attributes attributes(Labels labels) {
    AttributesBuilder attributes = Attributes.builder();
    labels.forEach(label -> attributes.put(label.getName(), label.getValue()));
    return attributes.build();
  }

  private static String help(MetricSnapshot snapshot) {
    String help = snapshot.getMetadata().getHelp();
    return help == null ? "" : help;
  }

  private static long nanos(Clock clock) {
    return clock.millis() * 1_000_000;
  }
}
