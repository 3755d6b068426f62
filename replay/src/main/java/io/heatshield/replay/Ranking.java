package io.heatshield.replay;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntToLongFunction;

/** Selects the highest of many numbers. */
final class Ranking {
  private Ranking() {}

  /** Returns the n indexes in {@code 0 .. count-1} with the highest values, highest first. */
  static int[] highest(int count, int n, IntToLongFunction value) {
    Comparator<Integer> order =
        Comparator.<Integer>comparingLong(value::applyAsLong)
            .thenComparing(Comparator.<Integer>naturalOrder().reversed());
    var best = new PriorityQueue<Integer>(order);
    for (int i = 0; i < count; i++) {
      if (best.size() < n) {
        best.add(i);
      } else if (n > 0 && order.compare(i, best.element()) > 0) {
        best.remove();
        best.add(i);
      }
    }
    int[] sorted = new int[best.size()];
    for (int i = sorted.length - 1; i >= 0; i--) {
      sorted[i] = best.remove();
    }
    return sorted;
  }
}
