package io.heatshield.replay.trace;

/** Finds the key and the time in a line. Never throws, whatever the bytes. */
interface LineParser {
  /** The result of parsing a line. */
  enum Outcome {
    /** The line has a key. */
    TOUCH,
    /** The line is valid but has no key. */
    NO_KEY,
    /** The line does not match the format. */
    BAD
  }

  /** Parses {@code line[from..to)} into {@code touch}. */
  Outcome parse(byte[] line, int from, int to, Touch touch);

  /** Returns whether lines have times. */
  boolean hasTime();
}
