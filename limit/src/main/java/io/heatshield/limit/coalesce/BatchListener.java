package io.heatshield.limit.coalesce;

/** Observes the batches that are sent; called on the path of a request, so it must be fast. */
public interface BatchListener {
  /** Ignores every batch. */
  BatchListener NONE = new BatchListener() {};

  /** Receives the number of calls in a batch that is sent. */
  default void sent(int calls) {}

  /** Receives how long one call waited until its batch was sent. */
  default void waited(long nanos) {}
}
