package io.heatshield.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ticker that repeats its last reading until it is refreshed. A reading takes about a nanosecond;
 * one of the JVM's ticker takes tens of nanoseconds.
 *
 * <p>A reading is late by at most the time between two calls of {@link #refresh}, plus the time
 * until one thread sees another thread's write. A window that uses this ticker begins and ends late
 * by at most as much. Any thread may read or refresh it, and no thread sees it go back.
 */
public final class CoarseTicker implements Ticker {
  /*
   * reading   read: opaque   write: weak CAS, plain, only forward
   *
   * No other data is published through a reading. Opaque accesses to one variable are coherent, so
   * the readings of one thread never go back. The compare-and-set prevents a slow refresh from
   * overwriting a later one. Pinned by CoarseTickerTest.
   */
  private static final VarHandle READING;

  static {
    try {
      READING = MethodHandles.lookup().findVarHandle(CoarseTicker.class, "reading", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Ticker source;

  @SuppressWarnings("UnusedVariable") // Read and written through READING.
  private long reading;

  /** Creates a ticker with the source's current reading. */
  public CoarseTicker(Ticker source) {
    this.source = source;
    this.reading = source.nanos();
  }

  @Override
  public long nanos() {
    return (long) READING.getOpaque(this);
  }

  /** Updates this ticker to the source's current reading, and returns its own reading. */
  public long refresh() {
    long now = source.nanos();
    long last = (long) READING.getOpaque(this);
    while (now - last > 0) {
      if (READING.weakCompareAndSetPlain(this, last, now)) {
        return now;
      }
      last = (long) READING.getOpaque(this);
    }
    return last;
  }
}
