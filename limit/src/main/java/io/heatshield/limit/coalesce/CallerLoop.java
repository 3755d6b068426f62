package io.heatshield.limit.coalesce;

/** An event loop that calls come in on, as far as the coalescer needs one; any thread may call. */
public interface CallerLoop {

  /** Has work done when the loop has read what there is to read; false if it takes no more. */
  boolean atTurnEnd(Runnable work);

  /** Has work done after a time; false if it takes no more. */
  boolean after(long nanos, Runnable work);
}
