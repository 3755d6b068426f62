package io.heatshield.fleet;

/** Receives events of a fleet node, on the thread that calls {@link FleetNode#tick}. */
public interface FleetListener {
  /** A listener that does nothing. */
  FleetListener NONE = new FleetListener() {};

  /** Called with every new view. */
  default void viewed(FleetView view) {}

  /** Called when the fleet uses another secret than this process. */
  default void otherSecret(byte[] secret) {}
}
