package io.heatshield.cli;

/** The end of a command that cannot reach or run what it needs; its message is for the user. */
final class CannotRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CannotRunException(String message) {
    super(message);
  }
}
