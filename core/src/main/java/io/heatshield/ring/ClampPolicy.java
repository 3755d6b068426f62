package io.heatshield.ring;

/** The rule for which call of a key a clamp, {@code tryTouch}, refuses first. */
public enum ClampPolicy {
  /** A limit of N admits N calls. The next call is refused and is not counted. */
  ADMITS_N,

  /**
   * A limit of N admits N - 1 calls. The N-th call is counted and refused; later calls are refused
   * and not counted. A limit of 3 gives the counts 1 and 2, admitted, then 3 and 3, refused.
   */
  LIMITS_NTH
}
