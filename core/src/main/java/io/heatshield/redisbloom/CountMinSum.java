package io.heatshield.redisbloom;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The weighted sum of sketches; a count that leaves its range makes the whole fail. */
final class CountMinSum {
  private CountMinSum() {}

  /** Fills an empty sketch with the sum, or returns false; nobody changes the sources meanwhile. */
  static boolean of(CountMin sum, List<CountMin> sources, long[] weights) {
    long[] counts = sources.stream().mapToLong(CountMin::count).toArray();
    Long count = sum(counts, weights, Long.MAX_VALUE);
    if (count == null) {
      return false;
    }
    sum.count(count);
    CountMap into = sum.exact();
    if (into != null && sources.stream().allMatch(source -> source.exact() != null)) {
      Boolean done = exact(into, sources, weights, sum.mostExact());
      if (done != null) {
        return done;
      }
    }
    return cells(sum, sources, weights);
  }

  /** Adds items up by themselves; null if there are too many of them. */
  private static @Nullable Boolean exact(
      CountMap into, List<CountMin> sources, long[] weights, int most) {
    var seen = new CountMap();
    for (CountMin source : sources) {
      CountMap map = source.exact();
      if (map != null) {
        map.forEach((hashed, times) -> seen.set(hashed, 1));
      }
    }
    if (seen.size() > most) {
      return null;
    }
    var fine = new boolean[] {true};
    seen.forEach(
        (hashed, one) -> {
          long[] counts = sources.stream().mapToLong(source -> source.query(hashed)).toArray();
          Long sum = sum(counts, weights, CountMin.MAX_COUNT);
          if (sum == null) {
            fine[0] = false;
          } else {
            into.set(hashed, sum);
          }
        });
    return fine[0];
  }

  private static boolean cells(CountMin sum, List<CountMin> sources, long[] weights) {
    int[] into = sum.spill();
    long[] sums = new long[into.length];
    try {
      for (int i = 0; i < weights.length; i++) {
        sources.get(i).addTo(sums, weights[i]);
      }
    } catch (ArithmeticException e) {
      return false;
    }
    for (int i = 0; i < into.length; i++) {
      if (sums[i] < 0 || sums[i] > CountMin.MAX_COUNT) {
        return false;
      }
      into[i] = (int) sums[i];
    }
    return true;
  }

  private static @Nullable Long sum(long[] counts, long[] weights, long most) {
    long sum = 0;
    try {
      for (int i = 0; i < counts.length; i++) {
        sum = Math.addExact(sum, Math.multiplyExact(counts[i], weights[i]));
      }
    } catch (ArithmeticException e) {
      return null;
    }
    return sum < 0 || sum > most ? null : (Long) sum;
  }
}
