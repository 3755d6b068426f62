package io.heatshield.replay.trace;

import org.jspecify.annotations.Nullable;

/**
 * What was read of a trace, and what was passed over.
 *
 * @param lines all lines that were read
 * @param touches lines that touched a key
 * @param blank lines without text
 * @param bad lines that are not of the format
 * @param withoutKey sound lines that touch no key
 * @param tooLong lines that are longer than 64 KiB
 * @param badTimes touches whose time could not be read; they count at the time reached
 * @param backwards touches earlier than one before them; they count at the time reached
 * @param farthestBackNanos by how much at most
 * @param leaps touches that leapt ahead by more than ten minutes, believed only when several agree
 * @param rebased how often the time reached was given up for that of the lines
 * @param fault why the trace ended before its time, or null
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
