package io.heatshield.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Meters of one structure that show the same kind of statistics. */
final class MeterGroup<T, S> {
  /** The maximum age of statistics that are expensive to read. */
  private static final Duration SHARED = Duration.ofSeconds(1);

  private final T structure;
  private final Tags name;
  private final Function<T, S> stats;
  private final Duration maxAge;
  private final List<MeterDefinition<S>> meters;

  private MeterGroup(
      T structure,
      Tags name,
      Function<T, S> stats,
      Duration maxAge,
      List<MeterDefinition<S>> meters) {
    this.structure = structure;
    this.name = name;
    this.stats = stats;
    this.maxAge = maxAge;
    this.meters = meters;
  }

  /** Returns meters that each read the statistics. */
  static <T, S> MeterGroup<T, S> each(
      T structure, Tags name, Function<T, S> stats, List<MeterDefinition<S>> meters) {
    return new MeterGroup<>(structure, name, stats, Duration.ZERO, meters);
  }

  /** Returns meters that share statistics, which are read at most once a second. */
  static <T, S> MeterGroup<T, S> shared(
      T structure, Tags name, Function<T, S> stats, List<MeterDefinition<S>> meters) {
    return new MeterGroup<>(structure, name, stats, SHARED, meters);
  }

  /** Throws if the registry has these meters of a structure with the same name. */
  void requireUnbound(MeterRegistry registry) {
    MeterDefinition<S> first = meters.get(0);
    if (registry.find(first.name()).tags(name.and(first.tags())).meter() != null) {
      throw new IllegalArgumentException(
          "name must be the name of one structure only in a registry: "
              + name.stream().findFirst().orElseThrow().getValue());
    }
  }

  void bindTo(MeterRegistry registry) {
    var reader = new StatsReader<>(stats, maxAge, registry.config().clock());
    meters.forEach(meter -> meter.register(registry, name, structure, reader));
  }

  void unbindFrom(MeterRegistry registry) {
    meters.forEach(meter -> registry.removeByPreFilterId(meter.id(name)));
  }
}
