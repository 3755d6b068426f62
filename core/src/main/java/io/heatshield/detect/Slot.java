package io.heatshield.detect;

/**
 * A key's place in a bounded table: every stripe counts the key exactly under the same number.
 *
 * <p>A place that passes to another key gets a higher generation, by which a stripe knows that its
 * counts there are another key's. Generations are compared by their difference and may wrap.
 */
abstract class Slot {
  private static final long MIX = 0xd6e8feb86659fd93L;

  final long hash;
  final int number;
  final int generation;

  Slot(long hash, int number, int generation) {
    this.hash = hash;
    this.number = number;
    this.generation = generation;
  }

  /** Returns a hash whose upper bits depend on all of a hash that a caller may have brought. */
  static long mix(long hash) {
    return hash * MIX;
  }
}
