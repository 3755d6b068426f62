package io.heatshield.limit.limiter;

/**
 * What holds for all rules; may be changed while a limiter works.
 *
 * @param nearLimitRatio the part of a limit from which hits count as near it, above 0 to 1
 * @param shadowMode whether every request is answered OK and what would have been over is counted
 * @param quotaMode whether every rule is taken as one in quota mode
 * @param headers whether answers carry numbers for headers
 * @param dynamicMetadata whether answers carry dynamic metadata
 * @param stopIncrementWhenOver whether a request leaves its other counters alone once one of its
 *     limits is exceeded
 */
public record LimiterOptions(
    float nearLimitRatio,
    boolean shadowMode,
    boolean quotaMode,
    boolean headers,
    boolean dynamicMetadata,
    boolean stopIncrementWhenOver) {
  /** What holds if nothing is said. */
  public static final LimiterOptions DEFAULT =
      new LimiterOptions(0.8f, false, false, false, false, false);

  /** Checks the range. */
  public LimiterOptions {
    if (!(nearLimitRatio > 0 && nearLimitRatio <= 1)) {
      throw new IllegalArgumentException(
          "nearLimitRatio must be above 0 and at most 1: " + nearLimitRatio);
    }
  }
}
