package io.heatshield.limit;

/**
 * How many may pass in how long, and how that is counted.
 *
 * @param requestsPerUnit 0 to 4294967295; 0 lets nothing pass
 */
public record Limit(long requestsPerUnit, LimitUnit unit, Algorithm algorithm) {
  /** Checks the range. */
  public Limit {
    if (requestsPerUnit < 0 || requestsPerUnit > LimitRequest.MAX_UINT32) {
      throw new IllegalArgumentException(
          "requestsPerUnit must be 0 to " + LimitRequest.MAX_UINT32 + ": " + requestsPerUnit);
    }
    if (requestsPerUnit > most(unit, algorithm)) {
      throw new IllegalArgumentException(
          "requestsPerUnit must be at most " + most(unit, algorithm) + ": " + requestsPerUnit);
    }
  }

  /** Returns the largest limit that an algorithm counts exactly over a unit. */
  public static long most(LimitUnit unit, Algorithm algorithm) {
    return algorithm == Algorithm.GCRA
        ? Math.min(LimitRequest.MAX_UINT32, (1L << 62) / unit.millis())
        : LimitRequest.MAX_UINT32;
  }
}
