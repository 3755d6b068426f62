package io.heatshield.config.value;

import org.jspecify.annotations.Nullable;

/**
 * Says that a text is not a value of the kind asked for, in words made for the one who wrote it.
 *
 * <p>The message never repeats the text: who catches this knows whether the text may be shown.
 */
public final class Malformed extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final @Nullable String hint;

  public Malformed(String message) {
    this(message, null);
  }

  public Malformed(String message, @Nullable String hint) {
    super(message);
    this.hint = hint;
  }

  /** Returns the sentence that says what is wrong. */
  public String problem() {
    return String.valueOf(getMessage());
  }

  /** Returns what to write instead, if that can be guessed. */
  public @Nullable String hint() {
    return hint;
  }
}
