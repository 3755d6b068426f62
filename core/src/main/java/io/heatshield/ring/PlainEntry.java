package io.heatshield.ring;

/** An entry whose count only grows: no window, no decay, no rotation. */
final class PlainEntry extends Entry {

  PlainEntry(long hash, byte scope, byte[] key) {
    super(hash, scope, key);
  }

  @Override
  boolean hasRunOut(Beats beats, Moment moment) {
    return false;
  }

  @Override
  boolean isActive(Moment moment) {
    return true;
  }

  @Override
  long roomNanos(long limit, Beats beats, Moment moment, long now) {
    return Clamp.NEVER;
  }

  @Override
  long beside() {
    return 0;
  }
}
