package io.heatshield.bench.store;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param keys the keys on disk
 * @param seconds how long a round takes
 * @param rounds how many there are
 */
record Scale(int keys, int seconds, int rounds) {

  /** Returns how long a round takes. */
  Duration round() {
    return Duration.ofSeconds(seconds);
  }
}
