package io.heatshield.time;

import java.util.function.LongSupplier;

/**
 * A clock of Unix time in milliseconds that repeats its last reading until it is refreshed. A
 * reading takes about a nanosecond; one of the system clock takes tens.
 *
 * <p>It is late by at most the time between two calls of {@link #refresh}. Unlike a {@link
 * CoarseTicker} it follows its source backwards: if the system clock was set back, it must not stop
 * until the time has caught up. Any thread may read it; one at a time may refresh it.
 */
public final class CoarseClock implements LongSupplier {
  /*
   * millis   read and refresh: volatile
   *
   * A thread that starts a new window publishes it after reading this clock, so a thread that sees
   * the new window must not read an earlier time. Opaque would suffice on any machine; volatile
   * says so.
   */
  private final LongSupplier source;
  private volatile long millis;

  /** Creates a clock that shows the source's present reading. */
  public CoarseClock(LongSupplier source) {
    this.source = source;
    this.millis = source.getAsLong();
  }

  @Override
  public long getAsLong() {
    return millis;
  }

  /** Takes the source's present reading. */
  public void refresh() {
    millis = source.getAsLong();
  }
}
