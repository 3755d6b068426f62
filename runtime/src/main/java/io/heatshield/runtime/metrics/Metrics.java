package io.heatshield.runtime.metrics;

import io.heatshield.runtime.Version;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The registry of the process's metrics, and their Prometheus text.
 *
 * <p>Every name begins with {@code heatshield_}, except those of the JVM, the process and the
 * machine, which keep the names that dashboards for Java processes expect. Hot paths count in their
 * own adders, which are read here at each scrape; no request calls this class. A label whose values
 * are not known in advance needs a {@link LabelledCounter}, which limits them.
 */
public final class Metrics implements AutoCloseable {
  private static final String PREFIX = "heatshield.";
  private static final List<String> STANDARD = List.of(PREFIX, "jvm.", "process.", "system.");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  // Micrometer refers to the source of a function counter weakly: without these, a scrape after a
  // garbage collection would read 0.
  private final Queue<LongSupplier> sources = new ConcurrentLinkedQueue<>();
  private final Queue<MeterBinder> binders = new ConcurrentLinkedQueue<>();

  /** Creates the registry with the meters of the JVM and the process. */
  public Metrics() {
    registry.config().meterFilter(new PrefixFilter());
    // In nanoseconds. Prometheus's own clients have it in seconds, under the name below.
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"));
    gc.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    FunctionCounter.builder("process.cpu", ProcessHandle.current(), Metrics::cpuSeconds)
        .baseUnit("seconds")
        .description("The CPU time that the process has taken")
        .register(registry);
    Gauge.builder("build.info", () -> 1)
        .description("The version that runs, as a label; the value is always 1")
        .tags("version", Version.current())
        .register(registry);
  }

  /** Exposes the meters of a binder, which lives as long as this registry. */
  public void bind(MeterBinder binder) {
    binders.add(binder);
    binder.bindTo(registry);
  }

  /** Exposes a count that never decreases. */
  public void counter(String name, String description, LongSupplier count, String... labels) {
    sources.add(count);
    FunctionCounter.builder(name, count, LongSupplier::getAsLong)
        .description(description)
        .tags(Tags.of(labels))
        .register(registry);
  }

  /** Exposes a number that may rise and fall. */
  public void gauge(String name, String description, DoubleSupplier value, String... labels) {
    Gauge.builder(name, value::getAsDouble)
        .description(description)
        .tags(Tags.of(labels))
        .strongReference(true)
        .register(registry);
  }

  /**
   * Exposes a histogram of durations.
   *
   * @param name the Prometheus name without the prefix, ending in {@code _seconds}
   */
  public void latency(String name, String description, LatencyHistogram histogram) {
    histogram(name, description, histogram::fill);
  }

  /** Exposes a histogram of sizes. */
  public void sizes(String name, String description, SizeHistogram histogram) {
    histogram(name, description, histogram::fill);
  }

  private void histogram(
      String name, String description, ToDoubleFunction<ClassicHistogramBuckets.Builder> fill) {
    var metadata = new MetricMetadata("heatshield_" + name, description);
    Collector collector =
        () -> {
          ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
          double sum = fill.applyAsDouble(buckets);
          return new HistogramSnapshot(
              metadata,
              List.of(
                  new HistogramSnapshot.HistogramDataPointSnapshot(
                      buckets.build(), sum, Labels.EMPTY, null, 0)));
        };
    registry.getPrometheusRegistry().register(collector);
  }

  /** Returns a counter with at most {@code maxSeries} combinations of label values. */
  public LabelledCounter labelledCounter(
      String name, String description, int maxSeries, String... labels) {
    return new LabelledCounter(this, name, description, maxSeries, labels);
  }

  /** Returns the values of all metrics, in the model of the Prometheus client. */
  public MetricSnapshots snapshots() {
    return registry.getPrometheusRegistry().scrape();
  }

  /** Returns all metrics in the Prometheus text format. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }

  private static double cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().map(spent -> spent.toMillis() / 1e3).orElse(0.0);
  }

  private static final class PrefixFilter implements MeterFilter {
    @Override
    public Meter.Id map(Meter.Id id) {
      return STANDARD.stream().anyMatch(id.getName()::startsWith)
          ? id
          : id.withName(PREFIX + id.getName());
    }
  }
}
