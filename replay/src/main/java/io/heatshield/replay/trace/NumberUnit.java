package io.heatshield.replay.trace;

/** The unit of times that are plain numbers. */
public enum NumberUnit {
  /** By magnitude: below 10^11 seconds, below 10^14 milliseconds, below 10^17 microseconds. */
  AUTO(0),
  /** Seconds. */
  S(1_000_000_000L),
  /** Milliseconds. */
  MS(1_000_000L),
  /** Microseconds. */
  US(1_000L),
  /** Nanoseconds. */
  NS(1L);

  private final long nanos;

  NumberUnit(long nanos) {
    this.nanos = nanos;
  }

  long nanosFor(long number) {
    if (this != AUTO) {
      return nanos;
    }
    if (number < 100_000_000_000L) {
      return S.nanos;
    }
    if (number < 100_000_000_000_000L) {
      return MS.nanos;
    }
    return number < 100_000_000_000_000_000L ? US.nanos : NS.nanos;
  }
}
