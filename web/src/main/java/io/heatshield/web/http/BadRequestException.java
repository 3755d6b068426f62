package io.heatshield.web.http;

import java.io.Serial;

/**
 * Thrown for an invalid request, which gets 400 with the message.
 *
 * <p>Parts of the request in the message must be escaped by {@link io.heatshield.key.KeyText}.
 */
public final class BadRequestException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** Creates an exception that says what is invalid. */
  public BadRequestException(String message) {
    super(message);
  }
}
