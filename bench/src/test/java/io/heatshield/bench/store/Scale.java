package io.heatshield.bench.store;

import java.time.Duration;

/**
 * The size of a benchmark.
 *
 * @param keys the keys on disk
 * @param seconds the duration of a round
 * @param rounds the number of rounds
 */
record Scale(int keys, int seconds, int rounds) {

  /** Returns the duration of a round. */
  Duration round() {
    return Duration.ofSeconds(seconds);
  }
}
