package io.heatshield.insight.explain;

import org.jspecify.annotations.Nullable;

/**
 * Why a key is hot, what has been done about it, and what to do.
 *
 * @param cause why it is hot
 * @param says that as a sentence, with the numbers that show it
 * @param advice what was done or what to do, as a sentence
 * @param setting the path of the setting that protects the key, or null if there is none
 * @param value what to set it to, or null
 * @param line the same as a line of the configuration, or null
 * @param inEffect whether the protection is enforced and has acted on this key
 * @param acted how often it has acted on this key
 * @param wouldHaveActed how often it would have acted on this key, while it only observed
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
