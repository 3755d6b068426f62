package io.heatshield.limit;

/** A field of a request is invalid. The message contains nothing that the caller sent. */
public final class InvalidRequestException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String field;

  /** Creates an exception for one field. */
  public InvalidRequestException(String field, String sentence) {
    super(sentence);
    this.field = field;
  }

  static void check(boolean holds, String field, String sentence) {
    if (!holds) {
      throw new InvalidRequestException(field, sentence);
    }
  }

  /** Returns the field as the protocol names it, for example {@code descriptors}. */
  public String field() {
    return field;
  }

  /** Returns the reason. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
