package io.heatshield.replay;

/** Who is told how far long work has come. */
@FunctionalInterface
public interface Progress {
  /** Tells nobody. */
  Progress NONE = (done, total, touches) -> {};

  /**
   * Is called a few times a second at most.
   *
   * @param done how much is done, in bytes or steps
   * @param total of how much; 0 if nobody knows
   * @param touches touches counted so far
   */
  void at(long done, long total, long touches);
}
