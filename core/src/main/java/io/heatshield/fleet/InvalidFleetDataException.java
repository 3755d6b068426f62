package io.heatshield.fleet;

/** Thrown if data of another process is rejected; it has no stack trace. */
public final class InvalidFleetDataException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidFleetDataException(String message) {
    super(message, null, false, false);
  }
}
