package io.heatshield.limit.redis;

import io.heatshield.action.Mode;

/** Counters on three masters keep what every backend keeps, behind a coalescer that observes. */
class ObservedClusterCountersIT extends CoalescedClusterCountersIT {
  @Override
  Mode mode() {
    return Mode.OBSERVE;
  }
}
