package io.heatshield.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ticker that repeats its last reading until it is refreshed. A reading takes about a nanosecond;
 * one of the JVM's ticker takes tens.
 *
 * <p>A reading is late by at most the time between two calls of {@link #refresh}, plus the time
 * until a thread sees another's write. A window counted by it is off by no more than that at its
 * edges. Any thread may read or refresh it, and no reader sees it run backwards.
 */
public final class CoarseTicker implements Ticker {
  /*
   * reading   read: opaque   refresh: CAS, only forward
   *
   * Nothing else is published through a reading. Opaque accesses to one variable are coherent, so
   * one thread's readings never go back; the compare-and-set keeps a slow refresh from undoing a
   * later one. Pinned by CoarseTickerTest.
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

  /** Creates a ticker that shows the source's present reading. */
  public CoarseTicker(Ticker source) {
    this.source = source;
    this.reading = source.nanos();
  }

  @Override
  public long nanos() {
    return (long) READING.getOpaque(this);
  }

  /** Takes the source's present reading, and returns this ticker's reading. */
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
