package io.heatshield.replay.trace;

/** Finds the touch in a line; any bytes give an outcome, and nothing is thrown. */
interface LineParser {
  /** What came of a line. */
  enum Outcome {
    /** A touch was found. */
    TOUCH,
    /** The line is sound and touches no key. */
    NO_KEY,
    /** The line is not of the format. */
    BAD
  }

  /** Parses the line that stands in {@code line} from {@code from} up to {@code to}. */
  Outcome parse(byte[] line, int from, int to, Touch touch);

  /** Returns whether the format, as set, has times. */
  boolean hasTime();
}
