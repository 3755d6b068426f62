package io.heatshield.store.engine;

import java.util.concurrent.CompletionException;

/**
 * Why a store could not do what was asked. Its message holds no key and no value.
 *
 * <p>Unless the reason is {@link Reason#UNAVAILABLE} or {@link Reason#DAMAGED}, nothing was
 * changed.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The kinds of failure. */
  public enum Reason {
    /** There is no memory for more. */
    FULL,
    /** The disk refuses writes: it is full, read-only, or fails. */
    DISK,
    /** Data on disk is damaged; the message names the file. */
    DAMAGED,
    /** The engine cannot be reached, or failed; whether a write took place is not known. */
    UNAVAILABLE,
    /** The engine was not reached, so that nothing was changed. */
    UNREACHED,
    /** The value is not a whole number of 64 bits. */
    NOT_A_NUMBER,
    /** The result would not be a whole number of 64 bits. */
    OVERFLOW,
    /** The value is of another type. */
    WRONG_TYPE,
    /** This engine cannot do that. */
    UNSUPPORTED,
    /** The place of the data cannot be used: locked by another process, or read-only. */
    REFUSED,
    /** Other writers of the engine changed the keys again and again. */
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

  /** Returns a failure as one of a store. */
  public static StoreException of(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof StoreException known
        ? known
        : new StoreException(Reason.UNAVAILABLE, "the engine failed", failure);
  }

  /** Returns whether a batch that failed so has certainly changed nothing. */
  public static boolean isUnmade(Throwable failure) {
    Reason reason = of(failure).reason;
    return reason != Reason.UNAVAILABLE && reason != Reason.DAMAGED;
  }

  /** Returns the kind of failure. */
  public Reason reason() {
    return reason;
  }
}
