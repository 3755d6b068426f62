package io.heatshield.cli.demo.load;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws ranks from a Zipf distribution: rank {@code r}, starting at 0, has a probability
 * proportional to {@code 1 / (r + 1)^exponent}.
 *
 * <p>Takes 8 bytes per rank; drawing is a binary search. For one thread.
 */
public final class Zipf {
  private final double[] cumulative;
  private final SplittableRandom random;

  public Zipf(int ranks, double exponent, SplittableRandom random) {
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

  public int next() {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, point);
    int rank = found >= 0 ? found + 1 : -found - 1;
    return Math.min(rank, cumulative.length - 1);
  }
}
