package io.heatshield.limit.counter;

import io.heatshield.limit.OnFailure;

/** Receives counts: one call for each slot, on any thread. It must not block. */
public interface CounterSink {

  /** Receives the count after the hits were added. */
  void counted(int slot, long count);

  /**
   * Receives the count that a policy supplies because the shared counters did not answer.
   *
   * @param count over the limit if the policy refuses
   */
  default void degraded(int slot, OnFailure policy, long count) {
    counted(slot, count);
  }

  /** Receives the reason why there is no count. */
  void failed(int slot, BackendUnavailableException reason);
}
