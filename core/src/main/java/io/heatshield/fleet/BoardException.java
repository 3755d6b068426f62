package io.heatshield.fleet;

/** Says that the board gave no answer, and why; an answer itself, so it has no stack trace. */
public final class BoardException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure, with a line that holds no secret. */
  public BoardException(String message) {
    super(message, null, false, false);
  }
}
