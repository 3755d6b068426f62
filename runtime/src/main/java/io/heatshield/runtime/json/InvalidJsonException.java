package io.heatshield.runtime.json;

import java.io.Serial;

/**
 * The text is not strict JSON.
 *
 * <p>The message says what is wrong and where; text of the input is escaped by {@link
 * io.heatshield.key.KeyText}.
 */
public final class InvalidJsonException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  InvalidJsonException(String message) {
    super(message);
  }
}
