package io.heatshield.time;

/**
 * A source of monotonic nanoseconds, measured from an arbitrary origin.
 *
 * <p>Readings may only be subtracted from one another; they may be negative and may wrap. A ticker
 * does not depend on the wall clock, so a change of the system time has no effect. Any thread may
 * read it.
 */
@FunctionalInterface
public interface Ticker {

  /** Returns the present reading. */
  long nanos();

  /** Returns the ticker of the JVM, {@link System#nanoTime}. */
  static Ticker system() {
    return System::nanoTime;
  }
}
