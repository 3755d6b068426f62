package io.heatshield.replay;

/** Receives the progress of a long task. */
@FunctionalInterface
public interface Progress {
  /** Ignores all updates. */
  Progress NONE = (done, total, touches) -> {};

  /**
   * Called at most a few times per second.
   *
   * @param done the amount of work done, in bytes or steps
   * @param total the total amount of work; 0 if unknown
   * @param touches touches counted so far
   */
  void update(long done, long total, long touches);
}
