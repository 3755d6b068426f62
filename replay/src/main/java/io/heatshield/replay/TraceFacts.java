package io.heatshield.replay;

import io.heatshield.replay.trace.Packing;
import io.heatshield.replay.trace.Trace;
import io.heatshield.replay.trace.TraceFormat;
import io.heatshield.replay.trace.TraceStats;

/**
 * What is known about a trace when it has been read.
 *
 * @param guessed whether the format was guessed
 * @param fields where key and time were found, in words
 * @param timed whether the lines have times
 */
public record TraceFacts(
    TraceFormat format,
    boolean guessed,
    String fields,
    boolean timed,
    Packing packing,
    TraceStats stats) {

  /** Returns what is known about a trace now. */
  public static TraceFacts of(Trace trace) {
    return new TraceFacts(
        trace.format(),
        trace.isGuessed(),
        trace.fields(),
        trace.isTimed(),
        trace.packing(),
        trace.stats());
  }
}
