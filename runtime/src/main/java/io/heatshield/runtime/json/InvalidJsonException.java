package io.heatshield.runtime.json;

import java.io.Serial;

/**
 * Thrown if a text is not strict JSON.
 *
 * <p>The message has the reason and the position; input is escaped by {@link
 * io.heatshield.key.KeyText}.
 */
public final class InvalidJsonException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  InvalidJsonException(String message) {
    super(message);
  }
}
