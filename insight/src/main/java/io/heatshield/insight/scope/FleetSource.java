package io.heatshield.insight.scope;

import io.heatshield.fleet.FleetAnswer;

/** Provides the counts of the whole fleet, or the reason why they are unavailable. */
public interface FleetSource {
  /** The source of a process without a fleet. */
  FleetSource NONE = () -> new FleetAnswer(null, 0, "no fleet is configured");

  /** Returns the name of the fleet, or empty. */
  default String fleet() {
    return "";
  }

  /** Returns the name of this node, or empty. */
  default String node() {
    return "";
  }

  /** Returns the current state of the fleet without blocking. */
  FleetAnswer answer();
}
