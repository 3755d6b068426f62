package io.heatshield.limit.rule;

/**
 * Options for all rules, which may be changed at run time.
 *
 * @param nearLimitRatio the part of a limit above which hits count as near it, above 0 to 1
 * @param shadowMode whether every request is answered OK, and those over their limit are counted
 * @param quotaMode whether every rule is in quota mode
 * @param headers whether answers carry numbers for headers
 * @param dynamicMetadata whether answers carry dynamic metadata
 * @param stopIncrementWhenOver whether a request that exceeds a limit does not add to its other
 *     counters
 */
public record LimiterOptions(
    float nearLimitRatio,
    boolean shadowMode,
    boolean quotaMode,
    boolean headers,
    boolean dynamicMetadata,
    boolean stopIncrementWhenOver) {
  /** The defaults. */
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
