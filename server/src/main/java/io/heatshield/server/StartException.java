package io.heatshield.server;

/** Thrown if the server cannot start; the message tells the operator what to change. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1L;

  StartException(String message) {
    super(message);
  }

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
