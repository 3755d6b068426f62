package io.heatshield.limit.memory;

import io.heatshield.limit.Algorithm;
import io.heatshield.settings.Faults;
import io.heatshield.time.Rate;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * One limit of a {@link RateLimiter}, which each key has for itself, and its totals.
 *
 * @param id part of the keys of its counters; another one if the window changes
 */
record KeyLimit(
    int id,
    long most,
    long windowMillis,
    Algorithm algorithm,
    LongAdder admitted,
    LongAdder refused) {

  static KeyLimit of(int id, Rate rate, Algorithm algorithm) {
    return new KeyLimit(
        id, rate.touches(), rate.per().toMillis(), algorithm, new LongAdder(), new LongAdder());
  }

  /** Returns this limit with another rate and the same totals. */
  KeyLimit with(int otherId, Rate rate) {
    return new KeyLimit(
        otherId, rate.touches(), rate.per().toMillis(), algorithm, admitted, refused);
  }

  /** Adds a fault unless a rate can be counted. */
  static void check(Faults faults, String name, Rate rate, Algorithm algorithm) {
    Duration per = rate.per();
    boolean whole = per.toMillis() > 0 && per.equals(Duration.ofMillis(per.toMillis()));
    faults.check(whole, "rate of " + name + " must be per whole milliseconds", rate);
    if (whole) {
      long most = algorithm.most(per.toMillis());
      faults.check(
          rate.touches() <= most, "rate of " + name + " must be at most " + most, rate.touches());
    }
  }
}
