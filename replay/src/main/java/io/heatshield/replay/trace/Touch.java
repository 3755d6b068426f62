package io.heatshield.replay.trace;

/** What a parser found in a line: a key as a stretch of bytes, and when; used again for each. */
final class Touch {
  /** The time of a line that has none, or none that can be read. */
  static final long NO_TIME = Long.MIN_VALUE;

  byte[] bytes = {};
  int from;
  int to;

  /** Nanoseconds since 1970, or since the beginning of a trace that counts from there. */
  long nanos = NO_TIME;

  void key(byte[] in, int begin, int end) {
    bytes = in;
    from = begin;
    to = end;
  }
}
