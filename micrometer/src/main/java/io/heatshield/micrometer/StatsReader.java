package io.heatshield.micrometer;

import io.micrometer.core.instrument.Clock;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the statistics of a structure for its meters. Thread-safe.
 *
 * <p>Statistics that are expensive to read are read at most once in {@code maxAge}, so that the
 * meters of one scrape share them. It keeps them, but not the structure.
 */
final class StatsReader<T, S> {
  private final Function<T, S> stats;
  private final long maxAgeNanos;
  private final Clock clock;
  private @Nullable S recent;
  private long takenNanos;

  /**
   * Creates a reader.
   *
   * @param maxAge how long statistics are kept; zero to read them for every meter
   */
  StatsReader(Function<T, S> stats, Duration maxAge, Clock clock) {
    this.stats = stats;
    this.maxAgeNanos = maxAge.toNanos();
    this.clock = clock;
  }

  S read(T structure) {
    return maxAgeNanos == 0 ? stats.apply(structure) : recent(structure);
  }

  private synchronized S recent(T structure) {
    long now = clock.monotonicTime();
    S known = recent;
    if (known == null || now - takenNanos >= maxAgeNanos) {
      known = stats.apply(structure);
      recent = known;
      takenNanos = now;
    }
    return known;
  }
}
