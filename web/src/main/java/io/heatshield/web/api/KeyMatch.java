package io.heatshield.web.api;

import io.heatshield.web.http.Request;
import java.util.Objects;

/**
 * A filter of keys by their printable form, which is the one that users see and type.
 *
 * @param prefix the required prefix, or empty
 * @param contains the required substring, or empty
 */
record KeyMatch(String prefix, String contains) {
  static final String PREFIX = "Only keys whose printable form starts with this text.";
  static final String CONTAINS = "Only keys whose printable form contains this text.";

  /** Returns the filter of the parameters {@code prefix} and {@code contains}. */
  static KeyMatch of(Request request) {
    return new KeyMatch(
        Objects.requireNonNullElse(request.query("prefix"), ""),
        Objects.requireNonNullElse(request.query("contains"), ""));
  }

  /** Returns whether the printable form of a key matches. */
  boolean test(String key) {
    return key.startsWith(prefix) && key.contains(contains);
  }
}
