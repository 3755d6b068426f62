package io.heatshield.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * One meter of a kind of structure: its name, its description, and the statistic that it shows.
 *
 * @param <S> the statistics of the structure
 * @param type a counter or a gauge
 * @param name the name, with the prefix
 * @param tags tags in addition to the structure's name, the same for every structure
 */
record MeterDefinition<S>(
    Meter.Type type, String name, String description, Tags tags, ToDoubleFunction<S> statistic) {
  private static final String PREFIX = "heatshield.";

  /** Returns a meter of a count that never decreases. */
  static <S> MeterDefinition<S> counter(
      String name, String description, ToLongFunction<S> count, String... tags) {
    return new MeterDefinition<>(
        Meter.Type.COUNTER, PREFIX + name, description, Tags.of(tags), count::applyAsLong);
  }

  /** Returns a meter of a number that may rise and fall. */
  static <S> MeterDefinition<S> gauge(
      String name, String description, ToDoubleFunction<S> value, String... tags) {
    return new MeterDefinition<>(
        Meter.Type.GAUGE, PREFIX + name, description, Tags.of(tags), value);
  }

  /** Registers the meter of one structure, which the registry refers to weakly. */
  <T> void register(
      MeterRegistry registry, Tags structureName, T structure, StatsReader<T, S> reader) {
    Tags all = structureName.and(tags);
    if (type == Meter.Type.COUNTER) {
      FunctionCounter.builder(name, structure, new LastCount<>(reader, statistic))
          .description(description)
          .tags(all)
          .register(registry);
    } else {
      Gauge.builder(name, structure, from -> statistic.applyAsDouble(reader.read(from)))
          .description(description)
          .tags(all)
          .register(registry);
    }
  }

  /** Returns the identity of the meter of one structure. */
  Meter.Id id(Tags structureName) {
    return new Meter.Id(name, structureName.and(tags), null, description, type);
  }

  /**
   * A count that keeps its last value if it cannot be read: Micrometer catches the exception of a
   * gauge, logs it and shows NaN, but the exception of a counter would fail the whole scrape.
   */
  private static final class LastCount<T, S> implements ToDoubleFunction<T> {
    private final StatsReader<T, S> reader;
    private final ToDoubleFunction<S> count;
    private volatile double last;

    LastCount(StatsReader<T, S> reader, ToDoubleFunction<S> count) {
      this.reader = reader;
      this.count = count;
    }

    @Override
    public double applyAsDouble(T structure) {
      try {
        last = count.applyAsDouble(reader.read(structure));
      } catch (RuntimeException e) {
        // The gauges of the same statistics fail, too, and Micrometer logs why.
        return last;
      }
      return last;
    }
  }
}
