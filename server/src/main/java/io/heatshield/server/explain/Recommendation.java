package io.heatshield.server.explain;

/**
 * The one thing to do about a hot key.
 *
 * @param cause why it is hot
 * @param says that as a sentence, with the numbers that show it
 * @param advice what to do
 * @param setting the path of the setting to set
 * @param value what to set it to
 * @param line the same as a line of the configuration
 * @param inEffect whether it is set so already
 */
public record Recommendation(
    Cause cause,
    String says,
    String advice,
    String setting,
    String value,
    String line,
    boolean inEffect) {}
