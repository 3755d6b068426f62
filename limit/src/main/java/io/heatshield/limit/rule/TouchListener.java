package io.heatshield.limit.rule;

import io.heatshield.limit.Descriptor;

/** Receives every descriptor of requests to a domain that has rules. */
@FunctionalInterface
public interface TouchListener {
  /** Ignores every descriptor. */
  TouchListener NONE = (domain, descriptor, hits) -> {};

  /**
   * Receives a descriptor on the caller's thread; must not block.
   *
   * @param domain one of the rules' domains, so their number is bounded
   * @param hits 1 or more
   */
  void touched(String domain, Descriptor descriptor, long hits);
}
