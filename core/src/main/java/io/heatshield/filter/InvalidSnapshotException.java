package io.heatshield.filter;

import java.io.IOException;

/** Says why a stored filter is refused. */
public final class InvalidSnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  InvalidSnapshotException(String message) {
    super(message);
  }
}
