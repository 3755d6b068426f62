package io.heatshield.cli.process;

/** Ends a command that cannot run; the message is printed to the user. */
public final class CannotRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CannotRunException(String message) {
    super(message);
  }
}
