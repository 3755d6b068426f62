package io.heatshield.bench.grpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What one way of a port did in each of its slices of time; the n-th slices of two ways are of one
 * turn.
 */
final class Slices {
  private final List<Slice> all = new ArrayList<>();

  /** Returns what two ways did together in each turn. */
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

  /** Returns the ratio of a measure of this to that of another way, and its standard error. */
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

  /** Returns how far a slice is from what is usual, as a part of that: the sum of all is zero. */
  private double apart(int i, Measure measure) {
    Slice slice = all.get(i);
    return measure.over.applyAsDouble(slice) / mean(measure.over)
        - measure.under.applyAsDouble(slice) / mean(measure.under);
  }

  private double mean(ToDoubleFunction<Slice> part) {
    return all.stream().mapToDouble(part).average().orElse(Double.NaN);
  }

  /** What is told of slices: so much of one thing for each of another. */
  @SuppressWarnings("ImmutableEnumChecker") // Its functions are references to accessors.
  enum Measure {
    /** Calls per second. */
    RATE(Slice::calls, Slice::seconds),
    /** The processor time of the port in microseconds per call. */
    PORT(Slice::port, Slice::calls),
    /** That of port, callers and Redis. */
    THREE(Slice::three, Slice::calls),
    /** That of all of the machine, which is counted in hundredths of a second. */
    MACHINE(Slice::machine, Slice::calls);

    private final ToDoubleFunction<Slice> over;
    private final ToDoubleFunction<Slice> under;

    Measure(ToDoubleFunction<Slice> over, ToDoubleFunction<Slice> under) {
      this.over = over;
      this.under = under;
    }
  }

  /** What was done in one slice, processor times in microseconds. */
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
    /** Returns what it is at least, but for one time in forty. */
    double least() {
      return value - 2 * error;
    }

    /** Returns what it is at most, but for one time in forty. */
    double most() {
      return value + 2 * error;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.3f +/- %.3f", value, error);
    }
  }
}
