package io.heatshield.limit.counter;

/** A counter could not be read or incremented. The message contains no key. */
public final class BackendUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates an exception without a stack trace: it is an outcome, not a bug. */
  public BackendUnavailableException(String sentence) {
    super(sentence, null, false, false);
  }

  /** Creates an exception with a cause. */
  public BackendUnavailableException(String sentence, Throwable cause) {
    super(sentence, cause, false, false);
  }
}
