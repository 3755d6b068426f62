package io.heatshield.bench.store;

/**
 * How much is measured.
 *
 * @param keys the keys on disk
 * @param seconds how long a round takes
 * @param rounds how many there are
 */
record Scale(int keys, int seconds, int rounds) {}
