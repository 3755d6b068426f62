package io.heatshield.snapshot;

import java.io.IOException;

/** Says why a stored snapshot is refused. */
public final class InvalidSnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Makes a refusal with its reason. */
  public InvalidSnapshotException(String message) {
    super(message);
  }

  /** Refuses a snapshot, which the message says something about, unless a condition holds. */
  public static void require(boolean holds, String otherwise) throws InvalidSnapshotException {
    if (!holds) {
      throw new InvalidSnapshotException("snapshot " + otherwise);
    }
  }
}
