package io.heatshield.limit;

/**
 * A limit supplied by the caller, which replaces that of the rules.
 *
 * @param requestsPerUnit 0 to 4294967295
 */
public record LimitOverride(long requestsPerUnit, LimitUnit unit) {
  /** Checks the range. */
  public LimitOverride {
    InvalidRequestException.check(
        requestsPerUnit >= 0 && requestsPerUnit <= LimitRequest.MAX_UINT32,
        "limit.requests_per_unit",
        "requests_per_unit must be 0 to " + LimitRequest.MAX_UINT32);
  }
}
