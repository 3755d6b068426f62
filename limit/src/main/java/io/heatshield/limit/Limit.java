package io.heatshield.limit;

/**
 * A number of requests per unit of time, and the algorithm that counts them.
 *
 * @param requestsPerUnit 0 to 4294967295; 0 refuses everything
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

  /** Returns the largest limit that an algorithm can count exactly. */
  public static long most(LimitUnit unit, Algorithm algorithm) {
    return algorithm.most(unit.millis());
  }
}
