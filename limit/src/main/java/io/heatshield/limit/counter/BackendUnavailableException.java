package io.heatshield.limit.counter;

/** Says that a counter could not be read or raised; its text holds no key. */
public final class BackendUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates the failure of a backend, without a stack trace: it is an answer, not a mistake. */
  public BackendUnavailableException(String sentence) {
    super(sentence, null, false, false);
  }

  /** Creates the failure of a backend that has a cause. */
  public BackendUnavailableException(String sentence, Throwable cause) {
    super(sentence, cause, false, false);
  }
}
