package io.heatshield.web.api;

import io.heatshield.web.http.Request;
import io.heatshield.web.openapi.Schema;
import java.util.List;
import java.util.stream.Stream;

/**
 * A filter and a page of a list of keys.
 *
 * @param match the filter
 * @param offset the number of matching keys to skip
 * @param most the maximum number of keys
 */
record KeyPage(KeyMatch match, int offset, int most) {
  private static final int DEFAULT_KEYS = 10;
  private static final int MAX_KEYS = 1000;
  private static final int MAX_OFFSET = 1_000_000;

  /** The schema of {@code n}. */
  static final Schema MOST = Schema.integer(1, MAX_KEYS).byDefault(DEFAULT_KEYS);

  /** The schema of {@code offset}. */
  static final Schema OFFSET = Schema.integer(0, MAX_OFFSET).byDefault(0);

  /** Returns the page of the parameters {@code n}, {@code offset} and those of {@link KeyMatch}. */
  static KeyPage of(Request request) {
    return new KeyPage(
        KeyMatch.of(request),
        request.queryInt("offset", 0, 0, MAX_OFFSET),
        request.queryInt("n", DEFAULT_KEYS, 1, MAX_KEYS));
  }

  /** Returns this page of the matching keys. */
  <T> Stream<T> of(List<T> found) {
    return found.stream().skip(offset).limit(most);
  }
}
