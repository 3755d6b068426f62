package io.heatshield.ring;

/**
 * A stretch of time in which no entry of a ring changes by itself.
 *
 * @param end the reading at which the next moment begins
 * @param beat the number of period and generation ends before this moment
 * @param generation the number of generation ends before this moment
 * @param activeFrom the first beat of the active generation
 * @param warmFrom the first beat of the warm generation
 * @param periodEnd the reading at which the slot or decay interval ends
 * @param rotationEnd the reading at which the generation ends
 */
record Moment(
    long end,
    long beat,
    long generation,
    long activeFrom,
    long warmFrom,
    long periodEnd,
    long rotationEnd) {

  /** The one moment of a ring without time, whose readings are 0. */
  static final Moment FOREVER = new Moment(1, 0, 0, 0, 0, 0, 0);

  /** Returns 0, 1 or, for anything more, 2. */
  int generationsSince(long then) {
    return then >= activeFrom ? 0 : then >= warmFrom ? 1 : 2;
  }

  /** Returns how many periods ended since a beat; more than any window has, if it is that old. */
  long periodsSince(long then) {
    int generations = generationsSince(then);
    return generations == 2 ? Long.MAX_VALUE : beat - then - generations;
  }
}
