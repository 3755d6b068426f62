package io.heatshield.replay.trace;

import org.jspecify.annotations.Nullable;

/**
 * Counts of the lines that were read and of those that were skipped.
 *
 * @param lines all lines
 * @param touches lines with a key
 * @param blank empty lines
 * @param bad lines that do not match the format
 * @param withoutKey valid lines without a key
 * @param tooLong lines longer than 64 KiB
 * @param badTimes touches with an unreadable time; counted at the clock's time
 * @param backwards touches earlier than a previous one; counted at the clock's time
 * @param farthestBackNanos the largest step backwards
 * @param leaps touches that jumped ahead by more than ten minutes; see {@link TraceClock}
 * @param rebased how often the clock was reset to the time of the lines
 * @param fault why the trace ended prematurely, or null
 */
public record TraceStats(
    long lines,
    long touches,
    long blank,
    long bad,
    long withoutKey,
    long tooLong,
    long badTimes,
    long backwards,
    long farthestBackNanos,
    long leaps,
    long rebased,
    @Nullable String fault) {}
