package io.heatshield.limit.coalesce;

/** Hears of every flight that leaves; called on the way of a call, so it must be quick. */
public interface FlightListener {
  /** Hears nothing. */
  FlightListener NONE =
      new FlightListener() {
        @Override
        public void departed(int callers) {}

        @Override
        public void waited(long nanos) {}
      };

  /** Takes how many callers a flight stands for. */
  void departed(int callers);

  /** Takes how long one of its callers has waited for it to leave. */
  void waited(long nanos);
}
