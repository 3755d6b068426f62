package io.heatshield.limit.coalesce;

/** Observes the batches that are sent; called on the path of a request, so it must be fast. */
public interface BatchListener {
  /** Ignores every batch. */
  BatchListener NONE =
      new BatchListener() {
        @Override
        public void sent(int calls) {}

        @Override
        public void waited(long nanos) {}
      };

  /** Receives the number of calls in a batch that is sent. */
  void sent(int calls);

  /** Receives how long one call waited until its batch was sent. */
  void waited(long nanos);
}
