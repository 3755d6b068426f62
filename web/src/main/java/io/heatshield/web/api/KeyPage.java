package io.heatshield.web.api;

import io.heatshield.web.http.Request;
import io.heatshield.web.openapi.Schema;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which part of a list of keys a request asks for.
 *
 * @param match which keys
 * @param offset how many of those to skip first
 * @param most at most how many to show
 */
record KeyPage(KeyMatch match, int offset, int most) {
  private static final int DEFAULT_KEYS = 10;
  private static final int MAX_KEYS = 1000;
  private static final int MAX_OFFSET = 1_000_000;

  /** What {@code n} may be. */
  static final Schema MOST = Schema.integer(1, MAX_KEYS).byDefault(DEFAULT_KEYS);

  /** What {@code offset} may be. */
  static final Schema OFFSET = Schema.integer(0, MAX_OFFSET).byDefault(0);

  /** Returns what {@code n}, {@code offset} and the parameters of {@link KeyMatch} ask for. */
  static KeyPage of(Request request) {
    return new KeyPage(
        KeyMatch.of(request),
        request.queryInt("offset", 0, 0, MAX_OFFSET),
        request.queryInt("n", DEFAULT_KEYS, 1, MAX_KEYS));
  }

  /** Returns this part of what was found. */
  <T> Stream<T> of(List<T> found) {
    return found.stream().skip(offset).limit(most);
  }
}
