package io.heatshield.redisbloom;

import java.util.List;

/** Computes the weighted sum of sketches. */
final class CountMinSum {
  private CountMinSum() {}

  /**
   * Fills an empty sketch with the sum, or returns false if a count is negative or too large. The
   * sources must not change during the call.
   */
  static boolean fill(CountMin sum, List<CountMin> sources, long[] weights) {
    try {
      long[] counts = sources.stream().mapToLong(CountMin::count).toArray();
      sum.count(weightedSum(counts, weights, Long.MAX_VALUE));
      if (!fillExact(sum, sources, weights)) {
        fillCells(sum.switchToCells(), sources, weights);
      }
      return true;
    } catch (ArithmeticException outOfRange) {
      return false;
    }
  }

  /** Adds up exact counts; returns false if a source has none or there are too many items. */
  private static boolean fillExact(CountMin sum, List<CountMin> sources, long[] weights) {
    CountMap into = sum.exact();
    var items = new CountMap();
    for (CountMin source : sources) {
      CountMap map = source.exact();
      if (map == null) {
        return false;
      }
      map.forEach((hashed, times) -> items.set(hashed, 1));
    }
    if (into == null || items.size() > sum.maxExactItems()) {
      return false;
    }
    items.forEach(
        (hashed, one) -> {
          long[] counts = sources.stream().mapToLong(source -> source.query(hashed)).toArray();
          into.set(hashed, weightedSum(counts, weights, CountMin.MAX_COUNT));
        });
    return true;
  }

  private static void fillCells(int[] into, List<CountMin> sources, long[] weights) {
    long[] sums = new long[into.length];
    for (int i = 0; i < weights.length; i++) {
      sources.get(i).addTo(sums, weights[i]);
    }
    for (int i = 0; i < into.length; i++) {
      into[i] = (int) requireInRange(sums[i], CountMin.MAX_COUNT);
    }
  }

  private static long weightedSum(long[] counts, long[] weights, long max) {
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum = Math.addExact(sum, Math.multiplyExact(counts[i], weights[i]));
    }
    return requireInRange(sum, max);
  }

  private static long requireInRange(long value, long max) {
    if (value < 0 || value > max) {
      throw new ArithmeticException("count must be 0 to " + max + ": " + value);
    }
    return value;
  }
}
