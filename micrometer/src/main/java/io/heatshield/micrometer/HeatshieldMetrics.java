package io.heatshield.micrometer;

import io.heatshield.contest.HeavyHitters;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.filter.CuckooFilter;
import io.heatshield.ring.HotRing;
import io.heatshield.sketch.CountMinSketch;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Binds the statistics of one structure to a Micrometer registry, with the names, labels and
 * descriptions of the server's metrics.
 *
 * <pre>{@code
 * new HeatshieldMetrics(hot, "users").bindTo(registry);
 * }</pre>
 *
 * <p><b>Names.</b> {@code heatshield.touches} with the tag {@code scope=users}, in Prometheus
 * {@code heatshield_touches_total{scope="users"}}. The tag of a detector is {@code scope}, of a
 * ring {@code ring}, of a table {@code table}, of a filter {@code filter}, of a sketch {@code
 * sketch}.
 *
 * <p><b>Series.</b> Their number is fixed for each structure. A key is never in a name or tag.
 *
 * <p><b>Cost.</b> Nothing is counted twice: a meter reads the structure's own statistics when the
 * registry is scraped. The statistics of a ring, which iterate over its keys, are read at most once
 * a second. If they cannot be read, a counter keeps its value and a gauge is NaN.
 *
 * <p><b>References.</b> The registry refers to the structure weakly, like to the object of any
 * gauge of Micrometer. When the structure has been garbage collected, its counters keep their last
 * values and its gauges are NaN, until {@link #unbindFrom} removes them.
 *
 * <p>Thread-safe, but two structures must not be bound under one name at the same time.
 */
public final class HeatshieldMetrics implements MeterBinder {
  private final List<MeterGroup<?, ?>> groups;

  /** Creates the binder of a detector; its name is the tag {@code scope}. */
  public HeatshieldMetrics(HotKeyDetector detector, String name) {
    this(MeterGroup.each(detector, tag("scope", name), Function.identity(), DetectorMeters.METERS));
  }

  /** Creates the binder of a ring; its name is the tag {@code ring}. */
  public HeatshieldMetrics(HotRing ring, String name) {
    this(MeterGroup.shared(ring, tag("ring", name), HotRing::stats, RingMeters.METERS));
  }

  /**
   * Creates the binder of a table of clients and of its blocks; its name is the tag {@code table}.
   */
  public HeatshieldMetrics(HeavyHitters table, String name) {
    this(
        MeterGroup.each(table, tag("table", name), t -> t.stats().keys(), TableMeters.KEYS),
        MeterGroup.each(table, tag("table", name), t -> t.stats().blocks(), TableMeters.BLOCKS));
  }

  /** Creates the binder of a filter; its name is the tag {@code filter}. */
  public HeatshieldMetrics(CuckooFilter filter, String name) {
    this(MeterGroup.each(filter, tag("filter", name), CuckooFilter::stats, FilterMeters.METERS));
  }

  /** Creates the binder of a sketch; its name is the tag {@code sketch}. */
  public HeatshieldMetrics(CountMinSketch sketch, String name) {
    this(MeterGroup.each(sketch, tag("sketch", name), Function.identity(), SketchMeters.METERS));
  }

  private HeatshieldMetrics(MeterGroup<?, ?>... groups) {
    this.groups = List.of(groups);
  }

  /**
   * Registers the meters.
   *
   * @throws IllegalArgumentException if the registry has the meters of a structure of the same kind
   *     and name
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    groups.forEach(group -> group.requireUnbound(registry));
    groups.forEach(group -> group.bindTo(registry));
  }

  /** Removes the meters, so that another structure can have the name. */
  public void unbindFrom(MeterRegistry registry) {
    groups.forEach(group -> group.unbindFrom(registry));
  }

  static Tags tag(String kind, String name) {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty");
    }
    return Tags.of(kind, name);
  }
}
