package io.heatshield.cli.replay;

import java.io.IOException;

/** Says that a file is not a trace, in lines for people: why, and which formats are understood. */
public final class NotATraceException extends IOException {
  private static final long serialVersionUID = 1L;

  NotATraceException(String message) {
    super(message);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
