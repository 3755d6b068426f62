package io.heatshield.replay.trace;

/** The key and the time that a parser found in a line. Reused for every line. */
final class Touch {
  /** The time of a line without a readable time. */
  static final long NO_TIME = Long.MIN_VALUE;

  byte[] bytes = {};
  int from;
  int to;

  /** Nanoseconds since 1970, or since the start of a trace with relative times. */
  long nanos = NO_TIME;

  void key(byte[] in, int begin, int end) {
    bytes = in;
    from = begin;
    to = end;
  }
}
