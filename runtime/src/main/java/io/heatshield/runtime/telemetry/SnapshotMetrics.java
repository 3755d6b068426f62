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
import io.prometheus.metrics.model.snapshots.DistributionDataPointSnapshot;
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

/**
 * The metrics of the Prometheus registry as OpenTelemetry's, under the same names and labels.
 *
 * <p>A counter is a cumulative sum, whose name lacks {@code _total}: a Prometheus that takes OTLP
 * adds it again. Of a summary, count and sum are sent as counters. Read by the exporter's thread.
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
        all.add(sum(resource, snapshot, name, counterPoints(counter, now)));
      } else if (snapshot instanceof GaugeSnapshot gauge) {
        all.add(gauge(resource, snapshot, name, values(gauge, now)));
      } else if (snapshot instanceof InfoSnapshot info) {
        all.add(gauge(resource, snapshot, name + "_info", ones(info, now)));
      } else if (snapshot instanceof HistogramSnapshot histogram) {
        all.add(histogram(resource, histogram, name, now));
      } else if (snapshot instanceof SummarySnapshot summary) {
        all.add(sum(resource, snapshot, name + "_count", counts(summary, now)));
        all.add(sum(resource, snapshot, name + "_sum", sums(summary, now)));
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

  private List<DoublePointData> counterPoints(CounterSnapshot counter, long now) {
    var points = new ArrayList<DoublePointData>();
    counter
        .getDataPoints()
        .forEach(point -> points.add(point(now, point.getLabels(), point.getValue())));
    return points;
  }

  private List<DoublePointData> values(GaugeSnapshot gauge, long now) {
    var points = new ArrayList<DoublePointData>();
    gauge
        .getDataPoints()
        .forEach(point -> points.add(point(now, point.getLabels(), point.getValue())));
    return points;
  }

  private List<DoublePointData> ones(InfoSnapshot info, long now) {
    var points = new ArrayList<DoublePointData>();
    info.getDataPoints().forEach(point -> points.add(point(now, point.getLabels(), 1)));
    return points;
  }

  private List<DoublePointData> counts(SummarySnapshot summary, long now) {
    var points = new ArrayList<DoublePointData>();
    for (DistributionDataPointSnapshot point : summary.getDataPoints()) {
      points.add(point(now, point.getLabels(), (double) point.getCount()));
    }
    return points;
  }

  private List<DoublePointData> sums(SummarySnapshot summary, long now) {
    var points = new ArrayList<DoublePointData>();
    for (DistributionDataPointSnapshot point : summary.getDataPoints()) {
      points.add(point(now, point.getLabels(), point.getSum()));
    }
    return points;
  }

  private DoublePointData point(long now, Labels labels, double value) {
    return ImmutableDoublePointData.create(startNanos, now, attributes(labels), value);
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
