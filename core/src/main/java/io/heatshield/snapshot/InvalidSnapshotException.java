package io.heatshield.snapshot;

import java.io.IOException;

/** Thrown when a stored snapshot cannot be restored. */
public final class InvalidSnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with the reason. */
  public InvalidSnapshotException(String message) {
    super(message);
  }

  /** Throws an exception with the message {@code "snapshot " + problem} if a condition is false. */
  public static void require(boolean condition, String problem) throws InvalidSnapshotException {
    if (!condition) {
      throw new InvalidSnapshotException("snapshot " + problem);
    }
  }
}
