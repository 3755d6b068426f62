package io.heatshield.redis;

import java.io.Serial;

/** A server does not answer, or answers with the error that is the message. */
public final class TalkException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  TalkException(String message) {
    super(message);
  }
}
