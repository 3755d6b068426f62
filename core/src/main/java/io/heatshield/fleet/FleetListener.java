package io.heatshield.fleet;

/** Hears what a node learns of its fleet, on the thread that ticks. */
public interface FleetListener {
  /** A listener that does nothing. */
  FleetListener NONE = new FleetListener() {};

  /** Is called with every new view. */
  default void viewed(FleetView view) {}

  /** Is called when the fleet turns out to count by another secret than this process. */
  default void otherSecret(byte[] secret) {}
}
