package io.heatshield.redis;

/**
 * Says why a command has no answer.
 *
 * <p>It is an answer, not a mistake, so it has no stack trace. Its text holds neither key nor
 * secret, and of an error that Redis named only the code, which is checked to be a word.
 */
public final class RedisException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Failure failure;

  RedisException(Failure failure) {
    super(failure.sentence(), null, false, false);
    this.failure = failure;
  }

  RedisException(Failure failure, String code) {
    super(failure.sentence() + ": " + code, null, false, false);
    this.failure = failure;
  }

  /** Returns the kind of the failure. */
  public Failure failure() {
    return failure;
  }
}
