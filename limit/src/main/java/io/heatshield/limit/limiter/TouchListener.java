package io.heatshield.limit.limiter;

import io.heatshield.limit.Descriptor;

/** Hears of every descriptor that is asked about in a domain that has rules. */
@FunctionalInterface
public interface TouchListener {
  /** Hears nothing. */
  TouchListener NONE = (domain, descriptor, hits) -> {};

  /**
   * Takes note of a use, on the caller's thread, and must not block.
   *
   * @param domain one of the rules' domains: their number is bounded by the rules
   * @param hits 1 or more
   */
  void touched(String domain, Descriptor descriptor, long hits);
}
