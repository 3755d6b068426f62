package io.heatshield.web.api;

import io.heatshield.web.http.Request;

/**
 * Which keys a request asks for: those whose shown form begins with a text and has another in it.
 *
 * <p>The shown form is compared, because that is what a person sees and types.
 *
 * @param prefix what it begins with; empty for any
 * @param contains what is in it; empty for any
 */
record KeyMatch(String prefix, String contains) {
  /** Returns what the parameters {@code prefix} and {@code contains} of a request ask for. */
  static KeyMatch of(Request request) {
    String prefix = request.query("prefix");
    String contains = request.query("contains");
    return new KeyMatch(prefix == null ? "" : prefix, contains == null ? "" : contains);
  }

  /** Returns whether a key, in its shown form, matches. */
  boolean test(String shown) {
    return shown.startsWith(prefix) && shown.contains(contains);
  }
}
