package io.heatshield.runtime.metrics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A counter whose label values are not known in advance, with a bounded number of series.
 * Thread-safe.
 *
 * <p>The first {@code maxSeries} combinations of values get a series each; all others are counted
 * together under the value {@value #OTHER}. A series is never removed, so a count never decreases.
 */
public final class LabelledCounter {
  /** The label value of the series that counts everything above the limit. */
  public static final String OTHER = "other";

  private final Metrics metrics;
  private final String name;
  private final String description;
  private final int maxSeries;
  private final List<String> labels;
  private final Map<List<String>, LongAdder> series = new ConcurrentHashMap<>();
  private final LongAdder other;

  LabelledCounter(
      Metrics metrics, String name, String description, int maxSeries, String... labels) {
    this.metrics = metrics;
    this.name = name;
    this.description = description;
    this.maxSeries = maxSeries;
    this.labels = List.of(labels);
    other = register(Collections.nCopies(labels.length, OTHER));
  }

  /** Increments the series of these label values, given in the order of the labels. */
  public void increment(String... values) {
    List<String> key = List.of(values);
    LongAdder adder = series.get(key);
    if (adder == null) {
      adder = admit(key);
    }
    adder.increment();
  }

  private synchronized LongAdder admit(List<String> key) {
    return series.size() < maxSeries
        ? series.computeIfAbsent(key, this::register)
        : series.getOrDefault(key, other);
  }

  private LongAdder register(List<String> values) {
    var adder = new LongAdder();
    var tags = new ArrayList<String>();
    for (int i = 0; i < labels.size(); i++) {
      tags.add(labels.get(i));
      tags.add(values.get(i));
    }
    metrics.counter(name, description, adder::sum, tags.toArray(new String[0]));
    return adder;
  }
}
