package io.heatshield.bench.grpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The results of one variant in each of its time slices; the n-th slices of two variants belong to
 * the same turn.
 */
final class Slices {
  private final List<Slice> all = new ArrayList<>();

  /** Returns the sums of two variants in each turn. */
  static Slices both(Slices one, Slices other) {
    var both = new Slices();
    for (int i = 0; i < one.all.size(); i++) {
      both.add(one.all.get(i).and(other.all.get(i)));
    }
    return both;
  }

  void add(Slice slice) {
    all.add(slice);
  }

  void addAll(Slices others) {
    all.addAll(others.all);
  }

  int size() {
    return all.size();
  }

  /** Returns a measure over all slices. */
  double of(Measure measure) {
    return mean(measure.over) / mean(measure.under);
  }

  /** Returns the ratio of a measure to that of another variant, and its standard error. */
  Ratio to(Slices other, Measure measure) {
    double squares = 0;
    for (int i = 0; i < all.size(); i++) {
      double apart = apart(i, measure) - other.apart(i, measure);
      squares += apart * apart;
    }
    double turns = all.size();
    double ratio = of(measure) / other.of(measure);
    return new Ratio(ratio, ratio * Math.sqrt(squares / (turns - 1) / turns));
  }

  /** Returns the relative deviation of a slice from the mean; all deviations add up to zero. */
  private double apart(int i, Measure measure) {
    Slice slice = all.get(i);
    return measure.over.applyAsDouble(slice) / mean(measure.over)
        - measure.under.applyAsDouble(slice) / mean(measure.under);
  }

  private double mean(ToDoubleFunction<Slice> part) {
    return all.stream().mapToDouble(part).average().orElse(Double.NaN);
  }

  /** A measure of slices: one quantity per unit of another. */
  @SuppressWarnings("ImmutableEnumChecker") // Its functions are references to accessors.
  enum Measure {
    /** Calls per second. */
    RATE(Slice::calls, Slice::seconds),
    /** The CPU time of the server's process in microseconds per call. */
    PORT(Slice::port, Slice::calls),
    /** The CPU time of server, callers and Redis. */
    THREE(Slice::three, Slice::calls),
    /** The CPU time of the whole machine, which is counted in hundredths of a second. */
    MACHINE(Slice::machine, Slice::calls);

    private final ToDoubleFunction<Slice> over;
    private final ToDoubleFunction<Slice> under;

    Measure(ToDoubleFunction<Slice> over, ToDoubleFunction<Slice> under) {
      this.over = over;
      this.under = under;
    }
  }

  /** The result of one slice, CPU times in microseconds. */
  record Slice(double seconds, double calls, double port, double three, double machine) {
    private Slice and(Slice other) {
      return new Slice(
          seconds + other.seconds,
          calls + other.calls,
          port + other.port,
          three + other.three,
          machine + other.machine);
    }
  }

  /** A ratio and its standard error. */
  record Ratio(double value, double error) {
    /** Returns the lower bound of the 95 % confidence interval. */
    double least() {
      return value - 2 * error;
    }

    /** Returns the upper bound of the 95 % confidence interval. */
    double most() {
      return value + 2 * error;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.3f +/- %.3f", value, error);
    }
  }
}
