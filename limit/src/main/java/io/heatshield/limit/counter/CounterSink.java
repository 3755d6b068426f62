package io.heatshield.limit.counter;

import io.heatshield.limit.OnFailure;

/** Takes what came of counting; called once for each slot, on any thread, and must not block. */
public interface CounterSink {

  /** Takes the count after the hits were added. */
  void counted(int slot, long count);

  /**
   * Takes the count that a policy gave because the shared counters did not answer.
   *
   * @param count over the limit if the policy refuses
   */
  default void degraded(int slot, OnFailure policy, long count) {
    counted(slot, count);
  }

  /** Takes the reason why there is no count. */
  void failed(int slot, BackendUnavailableException reason);
}
