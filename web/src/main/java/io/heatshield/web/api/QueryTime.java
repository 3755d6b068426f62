package io.heatshield.web.api;

import io.heatshield.key.KeyText;
import io.heatshield.web.http.BadRequestException;
import io.heatshield.web.http.Request;
import io.heatshield.web.openapi.Schema;

/** Reads times from the query of a request. */
final class QueryTime {
  /** What a time may be. */
  static final Schema SCHEMA = Schema.integer(0, 999_999_999_999_999L);

  private QueryTime() {}

  /**
   * Returns a time in Unix milliseconds, or a default if it was not given.
   *
   * @throws BadRequestException if it is not a number of at most 15 digits
   */
  static long millis(Request request, String name, long otherwise) {
    String text = request.query(name);
    if (text == null) {
      return otherwise;
    }
    if (!text.matches("[0-9]{1,15}")) {
      throw new BadRequestException(
          name + " must be a time in Unix milliseconds: " + KeyText.of(text));
    }
    return Long.parseLong(text);
  }
}
