package io.heatshield.ring;

/** Which call a clamp limits first. */
public enum ClampPolicy {
  /** A limit of N admits N calls; the next is limited and does not count. */
  ADMITS_N,

  /**
   * The call that brings the count to N counts and is limited already, so that N - 1 are admitted;
   * later ones do not count. A limit of 3 answers (1, no), (2, no), (3, yes), (3, yes).
   */
  LIMITS_NTH
}
