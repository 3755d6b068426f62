package io.heatshield.cli.demo;

/**
 * How much traffic the demo makes, in requests per second.
 *
 * @param capacity commands that the embedded store executes
 * @param others requests of the users that do nothing wrong
 * @param attack requests for the attacked keys of a store
 * @param limitCalls rate-limit calls for one counter
 */
record DemoRates(int capacity, int others, int attack, int limitCalls) {

  /** Returns rates that two cores can make and that are twice what the store can do. */
  static DemoRates usual() {
    return new DemoRates(5_000, 1_500, 10_000, 6_000);
  }
}
