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
      sum.count(weighted(counts, weights, Long.MAX_VALUE));
      if (!fillExact(sum, sources, weights)) {
        fillCells(sum.spill(), sources, weights);
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
    if (into == null || items.size() > sum.mostExact()) {
      return false;
    }
    items.forEach(
        (hashed, one) -> {
          long[] counts = sources.stream().mapToLong(source -> source.query(hashed)).toArray();
          into.set(hashed, weighted(counts, weights, CountMin.MAX_COUNT));
        });
    return true;
  }

  private static void fillCells(int[] into, List<CountMin> sources, long[] weights) {
    long[] sums = new long[into.length];
    for (int i = 0; i < weights.length; i++) {
      sources.get(i).addTo(sums, weights[i]);
    }
    for (int i = 0; i < into.length; i++) {
      into[i] = (int) inRange(sums[i], CountMin.MAX_COUNT);
    }
  }

  private static long weighted(long[] counts, long[] weights, long most) {
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum = Math.addExact(sum, Math.multiplyExact(counts[i], weights[i]));
    }
    return inRange(sum, most);
  }

  private static long inRange(long value, long most) {
    if (value < 0 || value > most) {
      throw new ArithmeticException("count must be 0 to " + most + ": " + value);
    }
    return value;
  }
}
