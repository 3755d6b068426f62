package io.heatshield.insight.series;

import io.heatshield.action.Mode;

/**
 * A change of the mode of an action.
 *
 * @param atMillis the time of the sample that showed it, in Unix milliseconds
 */
public record ModeChange(long atMillis, String scope, String action, Mode from, Mode to) {}
