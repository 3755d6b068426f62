package io.heatshield.limit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A Unix clock that only a test moves. */
public final class FakeClock implements LongSupplier {
  /** The first millisecond of a minute. */
  public static final long START = 1_700_000_040_000L;

  private final AtomicLong millis = new AtomicLong(START);

  @Override
  public long getAsLong() {
    return millis.get();
  }

  /** Moves by milliseconds, which may be negative. */
  public FakeClock move(long step) {
    millis.addAndGet(step);
    return this;
  }
}
