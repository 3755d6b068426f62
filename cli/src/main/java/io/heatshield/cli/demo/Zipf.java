package io.heatshield.cli.demo;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Ranks drawn by Zipf's law: rank {@code r}, counted from 0, with a probability in proportion to
 * {@code 1 / (r + 1)^exponent}.
 *
 * <p>Holds 8 bytes per rank; a draw is one binary search. One thread draws.
 */
final class Zipf {
  private final double[] cumulative;
  private final SplittableRandom random;

  Zipf(int ranks, double exponent, SplittableRandom random) {
    if (ranks < 1) {
      throw new IllegalArgumentException("ranks must be positive: " + ranks);
    }
    this.random = random;
    cumulative = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += Math.pow(rank + 1.0, -exponent);
      cumulative[rank] = sum;
    }
  }

  int next() {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, point);
    int rank = found >= 0 ? found + 1 : -found - 1;
    return Math.min(rank, cumulative.length - 1);
  }
}
