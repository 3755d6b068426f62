package io.heatshield.contract;

import io.heatshield.action.Mode;

/** The contract of backends, for counters in memory with an observing coalescer. */
class ObservedMemoryCountersTest extends CoalescedMemoryCountersTest {
  @Override
  Mode mode() {
    return Mode.OBSERVE;
  }
}
