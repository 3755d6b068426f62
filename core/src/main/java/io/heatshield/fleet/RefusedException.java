package io.heatshield.fleet;

/** Says why what another process published is not taken; an answer, so it has no stack trace. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reasons. */
  public enum Reason {
    /** The bytes are not whole, or not what their kind allows. */
    DAMAGED,
    /** The format is of a version that this process does not read. */
    VERSION,
    /** The keys were hashed with another secret. */
    SECRET
  }

  private final Reason reason;

  RefusedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Returns the reason. */
  public Reason reason() {
    return reason;
  }
}
