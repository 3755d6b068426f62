package io.heatshield.runtime.metrics;

import io.heatshield.runtime.Version;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
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
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The meters of the process and their Prometheus text.
 *
 * <p>Every name begins with {@code heatshield_}, except those of the JVM, the process and the
 * machine, which keep the names that dashboards for any Java process look for. Hot paths count in
 * adders of their own and are read here when somebody scrapes; nothing on a request's way touches
 * this class. A label whose values come from outside goes through {@link LabelledCounter}, which
 * caps them.
 */
public final class Metrics implements AutoCloseable {
  private static final String PREFIX = "heatshield.";
  private static final List<String> STANDARD = List.of(PREFIX, "jvm.", "process.", "system.");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  // Micrometer refers to a function counter's source weakly: without this a scrape after a
  // collection would read 0.
  private final Queue<LongSupplier> sources = new ConcurrentLinkedQueue<>();

  /** Creates the registry with the meters of the JVM and the process. */
  public Metrics() {
    registry.config().meterFilter(new PrefixFilter());
    // In nanoseconds; Prometheus's own clients have it in seconds, under the name below.
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

  /** Exposes a count that its owner keeps and that never falls. */
  public void counter(String name, String description, LongSupplier count, String... labels) {
    sources.add(count);
    FunctionCounter.builder(name, count, LongSupplier::getAsLong)
        .description(description)
        .tags(Tags.of(labels))
        .register(registry);
  }

  /** Exposes a number that rises and falls. */
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
   * @param name as Prometheus shows it, without the prefix and with {@code _seconds} at its end
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
    registry.getPrometheusRegistry().register(new HistogramCollector(metadata, fill));
  }

  /**
   * Returns a counter whose one label takes values from outside, at most {@code maxSeries} of them.
   */
  public LabelledCounter labelledCounter(
      String name, String description, int maxSeries, String... labels) {
    return new LabelledCounter(this, name, description, maxSeries, labels);
  }

  /** Returns the registry, for meters that a library binds itself. */
  public MeterRegistry registry() {
    return registry;
  }

  /** Returns the values of all meters, as Prometheus's client has them. */
  public MetricSnapshots snapshots() {
    return registry.getPrometheusRegistry().scrape();
  }

  /** Returns all meters in Prometheus's text format. */
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
