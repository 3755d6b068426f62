package io.heatshield.limit;

/** Says which field of a request is wrong and how; its text holds nothing that the caller sent. */
public final class InvalidRequestException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String field;

  /** Creates a rejection of one field. */
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

  /** Returns what is wrong. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
