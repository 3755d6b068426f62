package io.heatshield.cli.pairs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A generator of few rows in which every allowed pair of values occurs.
 *
 * <p>Greedy: each row begins with a pair that no row has yet, and each further factor takes the
 * value that adds the most new pairs. Of several such rows the best is kept. The same seed gives
 * the same rows.
 */
final class CoveringArray {
  private static final int CANDIDATES = 30;
  private static final int UNSET = -1;

  /** A rule that excludes pairs of values; all rules that the rows obey are of this form. */
  interface Rule {
    /** Returns whether both values may occur in one row; the first factor is the smaller. */
    boolean allows(int factor, int value, int otherFactor, int otherValue);
  }

  /** Two values of two factors; the first factor is the smaller. */
  record Pair(int factor, int value, int otherFactor, int otherValue) {
    static Pair of(int factor, int value, int other, int otherValue) {
      return factor < other
          ? new Pair(factor, value, other, otherValue)
          : new Pair(other, otherValue, factor, value);
    }
  }

  private final int[] sizes;
  private final Rule rule;
  private final Random random;
  private final Set<Pair> missing;

  private CoveringArray(int[] sizes, Rule rule, long seed) {
    this.sizes = sizes;
    this.rule = rule;
    this.random = new Random(seed);
    this.missing = allowedPairs(sizes, rule);
  }

  /**
   * Returns rows that together have every allowed pair.
   *
   * @param sizes the number of values of each factor
   * @throws IllegalArgumentException if an allowed pair fits into no row
   */
  static List<int[]> of(int[] sizes, Rule rule, long seed) {
    return new CoveringArray(sizes, rule, seed).rows();
  }

  /** Returns every pair that the rule allows. */
  static Set<Pair> allowedPairs(int[] sizes, Rule rule) {
    var pairs = new LinkedHashSet<Pair>();
    for (int a = 0; a < sizes.length; a++) {
      for (int b = a + 1; b < sizes.length; b++) {
        for (int x = 0; x < sizes[a]; x++) {
          for (int y = 0; y < sizes[b]; y++) {
            if (rule.allows(a, x, b, y)) {
              pairs.add(new Pair(a, x, b, y));
            }
          }
        }
      }
    }
    return pairs;
  }

  /** Returns the pairs of a row. */
  static Set<Pair> pairsOf(int[] row) {
    var pairs = new LinkedHashSet<Pair>();
    for (int a = 0; a < row.length; a++) {
      for (int b = a + 1; b < row.length; b++) {
        pairs.add(new Pair(a, row[a], b, row[b]));
      }
    }
    return pairs;
  }

  private List<int[]> rows() {
    var rows = new ArrayList<int[]>();
    while (!missing.isEmpty()) {
      int[] best = {};
      int bestNew = 0;
      for (int i = 0; i < CANDIDATES; i++) {
        int[] candidate = candidate();
        int added = candidate.length == 0 ? 0 : newPairs(candidate);
        if (added > bestNew) {
          best = candidate;
          bestNew = added;
        }
      }
      if (bestNew == 0) {
        throw new IllegalArgumentException("pairs must fit into a row: " + missing);
      }
      missing.removeAll(pairsOf(best));
      rows.add(best);
    }
    return rows;
  }

  /** Returns a row with a missing pair, or an empty array if the rule leaves a factor no value. */
  private int[] candidate() {
    Pair start = List.copyOf(missing).get(random.nextInt(missing.size()));
    var row = new int[sizes.length];
    Arrays.fill(row, UNSET);
    row[start.factor()] = start.value();
    row[start.otherFactor()] = start.otherValue();
    var order = new ArrayList<Integer>();
    for (int factor = 0; factor < sizes.length; factor++) {
      order.add(factor);
    }
    Collections.shuffle(order, random);
    for (int factor : order) {
      if (row[factor] == UNSET) {
        row[factor] = bestValue(row, factor);
        if (row[factor] == UNSET) {
          return new int[0];
        }
      }
    }
    return row;
  }

  private int bestValue(int[] row, int factor) {
    int best = UNSET;
    int bestNew = -1;
    int first = random.nextInt(sizes[factor]);
    for (int i = 0; i < sizes[factor]; i++) {
      int value = (first + i) % sizes[factor];
      int added = added(row, factor, value);
      if (added > bestNew) {
        best = value;
        bestNew = added;
      }
    }
    return best;
  }

  /** Returns how many missing pairs a value adds to a row, or -1 if the rule excludes it. */
  private int added(int[] row, int factor, int value) {
    int added = 0;
    for (int other = 0; other < row.length; other++) {
      if (row[other] != UNSET) {
        Pair pair = Pair.of(factor, value, other, row[other]);
        if (!rule.allows(pair.factor(), pair.value(), pair.otherFactor(), pair.otherValue())) {
          return -1;
        }
        added += missing.contains(pair) ? 1 : 0;
      }
    }
    return added;
  }

  private int newPairs(int[] row) {
    Set<Pair> pairs = pairsOf(row);
    pairs.retainAll(missing);
    return pairs.size();
  }
}
