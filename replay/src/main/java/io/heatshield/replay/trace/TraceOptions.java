package io.heatshield.replay.trace;

import org.jspecify.annotations.Nullable;

/**
 * How a trace is to be read.
 *
 * @param format what its lines are; null to guess
 * @param key the column or field of the key, by name or number from 1; null to guess
 * @param time the column or field of the time; null to guess
 * @param unit the unit of times that are bare numbers
 * @param accessKey what of an access log's line is the key
 * @param rate touches per second of a trace without times
 * @param maxLines the most lines that are read
 */
public record TraceOptions(
    @Nullable TraceFormat format,
    @Nullable String key,
    @Nullable String time,
    NumberUnit unit,
    AccessKey accessKey,
    double rate,
    long maxLines) {

  /** Checks the numbers. */
  public TraceOptions {
    if (!(rate > 0 && rate <= 1e9)) {
      throw new IllegalArgumentException("rate must be above 0 and at most 1e9: " + rate);
    }
    if (maxLines < 1) {
      throw new IllegalArgumentException("lines must be at least 1: " + maxLines);
    }
  }

  /** Everything guessed, and 10,000 touches per second where there are no times. */
  public static TraceOptions defaults() {
    return new TraceOptions(
        null, null, null, NumberUnit.AUTO, AccessKey.PATH, 10_000, Long.MAX_VALUE);
  }

  /** Returns these options with another format. */
  public TraceOptions withFormat(TraceFormat other) {
    return new TraceOptions(other, key, time, unit, accessKey, rate, maxLines);
  }

  /** Returns these options with another column or field of the key and of the time. */
  public TraceOptions withFields(@Nullable String otherKey, @Nullable String otherTime) {
    return new TraceOptions(format, otherKey, otherTime, unit, accessKey, rate, maxLines);
  }

  /** Returns these options with another rate. */
  public TraceOptions withRate(double other) {
    return new TraceOptions(format, key, time, unit, accessKey, other, maxLines);
  }
}
