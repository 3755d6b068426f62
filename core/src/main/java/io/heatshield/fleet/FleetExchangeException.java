package io.heatshield.fleet;

/** Thrown when the exchange does not answer; it has no stack trace. */
public final class FleetExchangeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure, with a line that holds no secret. */
  public FleetExchangeException(String message) {
    super(message, null, false, false);
  }
}
