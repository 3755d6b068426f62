package io.heatshield.web.http;

import java.io.Serial;

/**
 * The request cannot be understood; the door answers 400 with the message.
 *
 * <p>A message that repeats a part of the request does so through {@link
 * io.heatshield.key.KeyText}.
 */
public final class BadRequestException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** Creates the error with what the caller should change. */
  public BadRequestException(String message) {
    super(message);
  }
}
