package io.heatshield.time;

/**
 * A source of monotonic nanoseconds, measured from an arbitrary origin.
 *
 * <p>Only the difference of two readings has a meaning; a reading may be negative, and may
 * overflow. A change of the system time has no effect on a ticker. Any thread may read it.
 */
@FunctionalInterface
public interface Ticker {

  /** Returns the current reading. */
  long nanos();

  /** Returns the ticker of the JVM, {@link System#nanoTime}. */
  static Ticker system() {
    return System::nanoTime;
  }
}
