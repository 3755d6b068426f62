package io.heatshield.data.command.keys;

/**
 * Matches the patterns of KEYS and SCAN: {@code *}, {@code ?}, {@code [a-z]}, {@code [^a]} and a
 * backslash that escapes the next byte.
 *
 * <p>Backtracks only to the last star, so a match costs at most the product of both lengths.
 */
public final class Glob {
  private final byte[] pattern;
  private int next;

  private Glob(byte[] pattern) {
    this.pattern = pattern;
  }

  public static boolean matches(byte[] pattern, byte[] text) {
    return new Glob(pattern).matches(text);
  }

  private boolean matches(byte[] text) {
    int at = 0;
    int star = -1;
    int resume = 0;
    next = 0;
    while (true) {
      if (next < pattern.length && pattern[next] == '*') {
        star = ++next;
        resume = at;
      } else if (at == text.length) {
        return next == pattern.length;
      } else if (next < pattern.length && one(text[at])) {
        at++;
      } else if (star < 0) {
        return false;
      } else {
        next = star;
        at = ++resume;
      }
    }
  }

  /** Matches one byte with the next part of the pattern, and skips that part. */
  private boolean one(byte b) {
    switch (pattern[next]) {
      case '?' -> {
        next++;
        return true;
      }
      case '[' -> {
        return oneOf(b & 0xff);
      }
      case '\\' -> {
        if (next + 1 < pattern.length) {
          next++;
        }
        return pattern[next++] == b;
      }
      default -> {
        return pattern[next++] == b;
      }
    }
  }

  /** Matches a byte with a class; without a bracket the class ends with the pattern. */
  private boolean oneOf(int b) {
    int i = next + 1;
    boolean not = i < pattern.length && pattern[i] == '^';
    if (not) {
      i++;
    }
    boolean found = false;
    while (i < pattern.length && pattern[i] != ']') {
      if (pattern[i] == '\\' && i + 1 < pattern.length) {
        i++;
        found |= (pattern[i] & 0xff) == b;
      } else if (i + 2 < pattern.length && pattern[i + 1] == '-') {
        int low = pattern[i] & 0xff;
        int high = pattern[i + 2] & 0xff;
        found |= b >= Math.min(low, high) && b <= Math.max(low, high);
        i += 2;
      } else {
        found |= (pattern[i] & 0xff) == b;
      }
      i++;
    }
    next = Math.min(i + 1, pattern.length);
    return found != not;
  }
}
