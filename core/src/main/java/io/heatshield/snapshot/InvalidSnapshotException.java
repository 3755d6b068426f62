package io.heatshield.snapshot;

import java.io.IOException;

/** Thrown when a stored snapshot cannot be restored. */
public final class InvalidSnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with the reason. */
  public InvalidSnapshotException(String message) {
    super(message);
  }

  /** Throws an exception with the message {@code "snapshot " + otherwise} unless it holds. */
  public static void require(boolean holds, String otherwise) throws InvalidSnapshotException {
    if (!holds) {
      throw new InvalidSnapshotException("snapshot " + otherwise);
    }
  }
}
