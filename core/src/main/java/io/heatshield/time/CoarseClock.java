package io.heatshield.time;

import java.util.function.LongSupplier;

/**
 * A clock of Unix time in milliseconds that repeats its last reading until it is refreshed. A
 * reading takes about a nanosecond; one of the system clock takes tens of nanoseconds.
 *
 * <p>It is late by at most the time between two calls of {@link #refresh}. Unlike a {@link
 * CoarseTicker}, it also goes back if its source does: otherwise it would stand still for a long
 * time after the system clock was set back. Any thread may read it; one thread at a time may
 * refresh it.
 */
public final class CoarseClock implements LongSupplier {
  /*
   * millis   read: volatile   write: volatile
   *
   * A thread that starts a new window publishes it after reading this clock, so a thread that sees
   * the new window must not read an earlier time. Only volatile guarantees this order.
   */
  private final LongSupplier source;
  private volatile long millis;

  /** Creates a clock with the source's current reading. */
  public CoarseClock(LongSupplier source) {
    this.source = source;
    this.millis = source.getAsLong();
  }

  @Override
  public long getAsLong() {
    return millis;
  }

  /** Updates this clock to the source's current reading. */
  public void refresh() {
    millis = source.getAsLong();
  }
}
