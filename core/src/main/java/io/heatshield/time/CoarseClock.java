package io.heatshield.time;

import java.util.function.LongSupplier;

/**
 * Unix time in milliseconds that repeats its last reading until its owner refreshes it: about a
 * nanosecond to read, where the system's own clock costs tens.
 *
 * <p>It is late by at most the time between two calls of {@link #refresh}, which is the owner's
 * choice. Unlike a {@link CoarseTicker} it follows its source backwards: a clock that was set back
 * must not stand still until it has caught up. Any thread may read it; one at a time may refresh
 * it.
 */
public final class CoarseClock implements LongSupplier {
  /*
   * millis   read and refresh: volatile
   *
   * Who turns a window publishes that it read this moment, so a thread that sees the window turned
   * must not read an earlier one: opaque would do on any machine, volatile says so.
   */
  private final LongSupplier source;
  private volatile long millis;

  /** Creates a clock that takes its readings from another and holds its present one. */
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
