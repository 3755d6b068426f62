package io.heatshield.replay.trace;

/** Lines that are keys as they stand. */
final class KeyLines implements LineParser {
  @Override
  public Outcome parse(byte[] line, int from, int to, Touch touch) {
    touch.key(line, from, to);
    touch.nanos = Touch.NO_TIME;
    return Outcome.TOUCH;
  }

  @Override
  public boolean hasTime() {
    return false;
  }
}
