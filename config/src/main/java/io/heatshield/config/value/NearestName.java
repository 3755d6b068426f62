package io.heatshield.config.value;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the valid name that is nearest to a misspelt one. */
public final class NearestName {
  private static final int LONGEST = 64;

  private NearestName() {}

  /** Returns a hint that suggests the nearest of the names, or null. */
  public static @Nullable String hint(String text, Collection<String> names) {
    String nearest = of(text, names);
    return nearest == null ? null : "did you mean " + nearest + "?";
  }

  /**
   * Returns the nearest of the names, or null if none is near: one edit for every three letters, a
   * swap of neighbours counting as one. Case, dashes and underscores do not count.
   */
  public static @Nullable String of(String text, Collection<String> names) {
    String wanted = plain(text);
    if (wanted.isEmpty() || wanted.length() > LONGEST) {
      return null;
    }
    String nearest = null;
    int best = Integer.MAX_VALUE;
    for (String name : names) {
      String candidate = plain(name);
      int allowed = Math.max(1, Math.max(wanted.length(), candidate.length()) / 3);
      int distance = distance(wanted, candidate);
      if (beginsLike(wanted, candidate)) {
        distance = Math.min(distance, allowed);
      }
      if (distance < best && distance <= allowed && distance < candidate.length()) {
        best = distance;
        nearest = name;
      }
    }
    return nearest;
  }

  private static boolean beginsLike(String a, String b) {
    return Math.min(a.length(), b.length()) >= 3 && (a.startsWith(b) || b.startsWith(a));
  }

  private static String plain(String text) {
    return text.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
  }

  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
