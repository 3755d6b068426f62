package io.heatshield.insight.explain;

import org.jspecify.annotations.Nullable;

/**
 * The cause of a hot key and the recommended protection.
 *
 * @param cause the cause
 * @param says the cause as a sentence, with its numbers
 * @param advice the effect of the protection, or what to do, as a sentence
 * @param setting the path of the setting that enables the protection, or null
 * @param value the recommended value, or null
 * @param line the setting as a line of the configuration file, or null
 * @param inEffect whether the protection is enforced and was applied to this key
 * @param acted how often it was applied to this key
 * @param wouldHaveActed how often it would have been applied to this key, in observe mode
 */
public record Recommendation(
    Cause cause,
    String says,
    String advice,
    @Nullable String setting,
    @Nullable String value,
    @Nullable String line,
    boolean inEffect,
    long acted,
    long wouldHaveActed) {}
