package io.heatshield.fleet;

/** Thrown if the exchange does not reply; it has no stack trace. */
public final class FleetExchangeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message that contains no secret. */
  public FleetExchangeException(String message) {
    super(message, null, false, false);
  }
}
