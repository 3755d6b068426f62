package io.heatshield.replay.trace;

/**
 * A description of a trace, as far as it has been read.
 *
 * @param guessed whether the format was guessed
 * @param fields where the key and the time were found; empty if the format defines it
 * @param timed whether the lines have times
 */
public record TraceFacts(
    TraceFormat format,
    boolean guessed,
    String fields,
    boolean timed,
    Compression compression,
    TraceStats stats) {}
