package io.heatshield.replay.trace;

/** Parses lines that consist of a key. */
final class KeyLineParser implements LineParser {
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
