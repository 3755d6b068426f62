package io.heatshield.cli.demo;

/**
 * The request rates of the demo, per second.
 *
 * @param capacity commands that the embedded store executes
 * @param others requests of the other users
 * @param attack requests for the attacked keys
 * @param limitCalls rate-limit calls for one counter
 */
record DemoRates(int capacity, int others, int attack, int limitCalls) {

  /** Returns rates that two cores can generate, with an attack at twice the store's capacity. */
  static DemoRates defaults() {
    return new DemoRates(5_000, 1_500, 10_000, 6_000);
  }
}
