package io.heatshield.config.value;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a text is not a valid value; the message is written for the author of the text.
 *
 * <p>The message never contains the text, because only the caller knows whether it may be shown.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final @Nullable String hint;

  public InvalidValueException(String message) {
    this(message, null);
  }

  public InvalidValueException(String message, @Nullable String hint) {
    super(message);
    this.hint = hint;
  }

  /** Returns the message. */
  public String problem() {
    return String.valueOf(getMessage());
  }

  /** Returns what to write instead, or null. */
  public @Nullable String hint() {
    return hint;
  }
}
