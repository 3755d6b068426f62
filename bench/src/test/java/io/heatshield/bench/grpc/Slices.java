package io.heatshield.bench.grpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What one mode of a door did in each of its slices of time; the n-th of two modes are of a turn.
 */
final class Slices {
  private final List<Slice> all = new ArrayList<>();

  void add(Slice slice) {
    all.add(slice);
  }

  void addAll(Slices others) {
    all.addAll(others.all);
  }

  int size() {
    return all.size();
  }

  /** Returns the means of two modes in each turn. */
  static Slices between(Slices one, Slices other) {
    var both = new Slices();
    for (int i = 0; i < one.all.size(); i++) {
      both.add(one.all.get(i).between(other.all.get(i)));
    }
    return both;
  }

  double mean(ToDoubleFunction<Slice> part) {
    return all.stream().mapToDouble(part).average().orElse(Double.NaN);
  }

  /** Returns the ratio of the means of this to those of another mode, and its standard error. */
  Ratio to(Slices other, ToDoubleFunction<Slice> part) {
    double mean = other.mean(part);
    double ratio = mean(part) / mean;
    double squares = 0;
    for (int i = 0; i < all.size(); i++) {
      double apart = part.applyAsDouble(all.get(i)) - ratio * part.applyAsDouble(other.all.get(i));
      squares += apart * apart;
    }
    double turns = all.size();
    return new Ratio(ratio, Math.sqrt(squares / (turns - 1) / turns) / mean);
  }

  /**
   * What was done in one slice.
   *
   * @param perSecond calls per second
   * @param door the processor time of the door in microseconds per call
   * @param three that of door, callers and Redis
   * @param machine that of all of the machine, which is counted in hundredths of a second
   */
  record Slice(double perSecond, double door, double three, double machine) {
    private Slice between(Slice other) {
      return new Slice(
          (perSecond + other.perSecond) / 2,
          (door + other.door) / 2,
          (three + other.three) / 2,
          (machine + other.machine) / 2);
    }
  }

  /** A ratio of means and its standard error. */
  record Ratio(double value, double error) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.3f +/- %.3f", value, error);
    }
  }
}
