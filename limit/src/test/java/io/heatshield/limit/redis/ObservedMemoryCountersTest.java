package io.heatshield.limit.redis;

import io.heatshield.action.Mode;

/** Counters in memory keep what every backend keeps, behind a coalescer that observes. */
class ObservedMemoryCountersTest extends CoalescedMemoryCountersTest {
  @Override
  Mode mode() {
    return Mode.OBSERVE;
  }
}
