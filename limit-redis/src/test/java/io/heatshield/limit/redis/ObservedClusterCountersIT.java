package io.heatshield.limit.redis;

import io.heatshield.action.Mode;

/** The contract of backends, for counters on three masters with an observing coalescer. */
class ObservedClusterCountersIT extends CoalescedClusterCountersIT {
  @Override
  Mode mode() {
    return Mode.OBSERVE;
  }
}
