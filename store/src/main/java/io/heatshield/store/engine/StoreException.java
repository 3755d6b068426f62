package io.heatshield.store.engine;

import java.util.concurrent.CompletionException;

/**
 * Thrown if a store cannot execute a call. The message contains no key and no value.
 *
 * <p>Unless the reason is {@link Reason#UNAVAILABLE} or {@link Reason#DAMAGED}, nothing was
 * changed.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The kinds of failure. */
  public enum Reason {
    /** The memory is full. */
    FULL,
    /** The disk refuses writes: it is full, read-only, or fails. */
    DISK,
    /** Data on disk is damaged; the message names the file. */
    DAMAGED,
    /** The engine cannot be reached, or failed; whether a write was made is unknown. */
    UNAVAILABLE,
    /** The engine was not reached, so that nothing was changed. */
    UNREACHED,
    /** The value is not a 64-bit integer. */
    NOT_A_NUMBER,
    /** The result would not be a 64-bit integer. */
    OVERFLOW,
    /** The value is of another type. */
    WRONG_TYPE,
    /** The engine does not support the call. */
    UNSUPPORTED,
    /** The folder of the data cannot be used: locked by another process, or read-only. */
    REFUSED,
    /** Other writers of the engine kept changing the keys. */
    CONTENDED,
    /** The store is closed. */
    CLOSED
  }

  private final Reason reason;

  /** Creates a failure. */
  public StoreException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Creates a failure that another one caused. */
  public StoreException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Converts any failure to a {@code StoreException}. */
  public static StoreException of(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof StoreException known
        ? known
        : new StoreException(Reason.UNAVAILABLE, "the engine failed", failure);
  }

  /** Returns whether a batch with this failure has certainly changed nothing. */
  public static boolean isUnchanged(Throwable failure) {
    Reason reason = of(failure).reason;
    return reason != Reason.UNAVAILABLE && reason != Reason.DAMAGED;
  }

  /** Returns the kind of failure. */
  public Reason reason() {
    return reason;
  }
}
