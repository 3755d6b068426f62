package io.heatshield.limit.coalesce;

/** An event loop that makes calls, as the coalescer sees it; any thread may call any method. */
public interface CallerLoop {

  /** Runs a task when the loop has read all input of this turn; false if the loop has ended. */
  boolean runAtTurnEnd(Runnable task);

  /** Runs a task on the loop after a delay; false if the loop has ended. */
  boolean runAfter(long nanos, Runnable task);

  /**
   * Runs a task on the loop soon, or immediately on the calling thread if that is the loop or if
   * the loop has ended.
   */
  void runOnLoop(Runnable task);
}
