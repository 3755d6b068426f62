package io.heatshield.runtime.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A counter with labels whose values come from outside, and a fixed number of series.
 *
 * <p>The first {@code maxSeries} combinations of values get a series each; all others are counted
 * together under the value {@value #OTHER}. No series is ever taken back, so that a count never
 * falls. Any thread may add; an addition to a series that is there allocates its lookup key and
 * nothing else.
 */
public final class LabelledCounter {
  /** The label value that stands for everything past the cap. */
  public static final String OTHER = "other";

  private final Metrics metrics;
  private final String name;
  private final String description;
  private final int maxSeries;
  private final String[] labels;
  private final Map<List<String>, LongAdder> series = new ConcurrentHashMap<>();
  private final AtomicInteger used = new AtomicInteger();
  private final LongAdder other;

  LabelledCounter(
      Metrics metrics, String name, String description, int maxSeries, String... labels) {
    if (maxSeries < 1) {
      throw new IllegalArgumentException("maxSeries must be at least 1: " + maxSeries);
    }
    this.metrics = metrics;
    this.name = name;
    this.description = description;
    this.maxSeries = maxSeries;
    this.labels = labels.clone();
    String[] others = new String[labels.length];
    Arrays.fill(others, OTHER);
    other = register(List.of(others));
  }

  /** Adds to the series of these label values, given in the order of the labels. */
  public void add(long amount, String... values) {
    if (values.length != labels.length) {
      throw new IllegalArgumentException("values must match the labels: " + values.length);
    }
    List<String> key = List.of(values);
    LongAdder adder = series.get(key);
    if (adder == null) {
      adder = admit(key);
    }
    adder.add(amount);
  }

  /** Returns the number of series in use, without the one for {@value #OTHER}. */
  public int size() {
    return Math.min(used.get(), maxSeries);
  }

  private LongAdder admit(List<String> key) {
    // The plain read keeps a flood of new values from running the count up without end.
    if (used.get() >= maxSeries) {
      return other;
    }
    return series.computeIfAbsent(
        key, k -> used.getAndIncrement() < maxSeries ? register(k) : other);
  }

  private LongAdder register(List<String> values) {
    var adder = new LongAdder();
    String[] pairs = new String[labels.length * 2];
    for (int i = 0; i < labels.length; i++) {
      pairs[2 * i] = labels[i];
      pairs[2 * i + 1] = values.get(i);
    }
    metrics.counter(name, description, adder::sum, pairs);
    return adder;
  }
}
