package io.heatshield.detect;

/** The numbers that follow from settings and that a touch is judged by. */
final class Limits {
  private static final double SECOND = 1e9;

  final DetectorSettings settings;

  /** Touches in a window that make a key hot. */
  final long hotAt;

  /** Touches in a window below which a hot key cools. */
  final long coolBelow;

  /** What at least one stripe has counted when all of them together have reached hotAt. */
  final long share;

  final long windowNanos;
  final long paneNanos;

  /** Touches of all keys in a window at which the sketch's error reaches hotAt. */
  final double overloadAt;

  Limits(DetectorSettings settings) {
    this.settings = settings;
    hotAt = settings.hotAt();
    coolBelow = Math.max(1, (long) Math.ceil(hotAt * settings.exit()));
    share = (hotAt + settings.stripes() - 1) / settings.stripes();
    windowNanos = settings.window().toNanos();
    paneNanos = (windowNanos + settings.panes() - 1) / settings.panes();
    overloadAt = hotAt * (settings.width() / Math.E);
  }

  double rate(long touches) {
    return touches * SECOND / windowNanos;
  }

  /** Returns by how much an estimate may be too high when the window holds so many touches. */
  long errorBound(long inWindow) {
    return (long) Math.ceil(inWindow * (Math.E / settings.width()));
  }

  /** Returns the power of two that keeps the error of so many touches below hotAt. */
  long sufficientWidth(long inWindow) {
    long least = (long) Math.ceil(inWindow * Math.E / hotAt) + 1;
    return Math.max(settings.width(), Long.highestOneBit(least * 2 - 1));
  }

  /** Returns the touches that are the threshold's rate over a length of time. */
  double atThreshold(long nanos) {
    return settings.threshold() * (nanos / SECOND);
  }
}
