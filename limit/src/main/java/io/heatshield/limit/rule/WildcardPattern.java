package io.heatshield.limit.rule;

/** Matches the text {@code key_value} against a pattern in which {@code *} stands for any text. */
final class WildcardPattern {
  private WildcardPattern() {}

  /**
   * Returns whether all of {@code key_value} matches, in time at most proportional to the product
   * of both lengths.
   */
  public static boolean matches(String pattern, String key, String value) {
    int length = key.length() + 1 + value.length();
    int at = 0;
    int part = 0;
    int star = -1;
    int retry = 0;
    while (at < length) {
      if (part < pattern.length() && pattern.charAt(part) == '*') {
        star = part++;
        retry = at;
      } else if (part < pattern.length() && pattern.charAt(part) == joined(key, value, at)) {
        part++;
        at++;
      } else if (star >= 0) {
        // The last star matches one more character; earlier stars need not be retried.
        part = star + 1;
        at = ++retry;
      } else {
        return false;
      }
    }
    while (part < pattern.length() && pattern.charAt(part) == '*') {
      part++;
    }
    return part == pattern.length();
  }

  private static char joined(String key, String value, int at) {
    int split = key.length();
    return at < split ? key.charAt(at) : at == split ? '_' : value.charAt(at - split - 1);
  }
}
