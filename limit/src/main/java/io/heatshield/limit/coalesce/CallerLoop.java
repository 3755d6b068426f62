package io.heatshield.limit.coalesce;

/** An event loop that calls come in on, as far as the coalescer needs one; any thread may call. */
public interface CallerLoop {

  /** Has work done when the loop has read what there is to read; false if it takes no more. */
  boolean atTurnEnd(Runnable work);

  /** Has work done after a time; false if it takes no more. */
  boolean after(long nanos, Runnable work);

  /**
   * Has work done by the loop soon; by the calling thread, at once, if that is the loop or if the
   * loop takes no more.
   */
  void land(Runnable work);
}
