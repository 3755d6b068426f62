package io.heatshield.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The name that a mistyped one probably meant. */
final class Names {
  private Names() {}

  /**
   * Returns the known name that is reached with the fewest edits, if they are fewer than half of
   * the longer name's letters.
   *
   * <p>An edit adds, removes or changes one character, or swaps two neighbours.
   */
  static Optional<String> nearest(String word, Collection<String> known) {
    if (word.length() > 64) {
      return Optional.empty();
    }
    return known.stream()
        .filter(name -> 2 * edits(word, name) < Math.max(word.length(), name.length()))
        .min(
            Comparator.comparingInt((String name) -> edits(word, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  private static int edits(String from, String to) {
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int best = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        best = Math.min(best, cost[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          best = Math.min(best, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = best;
      }
    }
    return cost[from.length()][to.length()];
  }
}
