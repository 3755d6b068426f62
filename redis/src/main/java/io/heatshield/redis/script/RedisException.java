package io.heatshield.redis.script;

/**
 * The reason why a command has no reply.
 *
 * <p>It is an outcome, not a bug, so it has no stack trace. Its message contains no key and no
 * secret; of an error reply it contains only the code.
 */
public final class RedisException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Failure failure;

  /** Creates the exception of a failure. */
  public RedisException(Failure failure) {
    super(failure.sentence(), null, false, false);
    this.failure = failure;
  }

  /** Creates the exception of an error reply with a code. */
  public RedisException(Failure failure, String code) {
    super(failure.sentence() + ": " + code, null, false, false);
    this.failure = failure;
  }

  /** Returns the kind of failure. */
  public Failure failure() {
    return failure;
  }
}
