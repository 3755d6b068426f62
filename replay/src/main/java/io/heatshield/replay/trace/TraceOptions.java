package io.heatshield.replay.trace;

import org.jspecify.annotations.Nullable;

/**
 * Options for reading a trace.
 *
 * @param format the format of the lines; null to guess
 * @param key the column or field of the key, by name or number from 1; null to guess
 * @param time the column or field of the time; null to guess
 * @param unit the unit of times that are plain numbers
 * @param accessKey the part of an access log line that is the key
 * @param rate the requests per second to assume for a trace without times
 * @param maxLines the maximum number of lines to read
 */
public record TraceOptions(
    @Nullable TraceFormat format,
    @Nullable String key,
    @Nullable String time,
    NumberUnit unit,
    AccessKey accessKey,
    double rate,
    long maxLines) {

  /** Validates the numbers. */
  public TraceOptions {
    if (!(rate > 0 && rate <= 1e9)) {
      throw new IllegalArgumentException("rate must be above 0 and at most 1e9: " + rate);
    }
    if (maxLines < 1) {
      throw new IllegalArgumentException("lines must be at least 1: " + maxLines);
    }
  }

  /** Returns options that guess everything and assume 10,000 requests/s without times. */
  public static TraceOptions defaults() {
    return new TraceOptions(
        null, null, null, NumberUnit.AUTO, AccessKey.PATH, 10_000, Long.MAX_VALUE);
  }

  /** Returns these options with another format. */
  public TraceOptions withFormat(TraceFormat other) {
    return new TraceOptions(other, key, time, unit, accessKey, rate, maxLines);
  }

  /** Returns these options with other fields for the key and the time. */
  public TraceOptions withFields(@Nullable String otherKey, @Nullable String otherTime) {
    return new TraceOptions(format, otherKey, otherTime, unit, accessKey, rate, maxLines);
  }

  /** Returns these options with another rate. */
  public TraceOptions withRate(double other) {
    return new TraceOptions(format, key, time, unit, accessKey, other, maxLines);
  }
}
