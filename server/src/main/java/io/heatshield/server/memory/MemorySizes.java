package io.heatshield.server.memory;

import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.value.ByteSize;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The settings whose values are an amount of memory that the server can do with less of: the
 * maximum memory of stores and shield, and the number of counters.
 *
 * <p>They are what is lowered if the defaults do not fit a machine, and what a refusal suggests to
 * lower. Immutable.
 */
final class MemorySizes {
  private static final String COUNTERS = "limits.max_counters";
  private static final String SHIELD = "shield.max_memory";
  private static final int STEPS = 1 << 20;
  private static final long MEBIBYTE = 1 << 20;
  private static final long THOUSAND = 1000;

  private final Map<String, Long> values;

  private MemorySizes(Map<String, Long> values) {
    this.values = values;
  }

  /** Returns the values of settings. */
  static MemorySizes of(Settings settings) {
    var values = new LinkedHashMap<String, Long>();
    for (StoreSettings store : settings.openStores()) {
      values.put(path(store), store.maxMemory().bytes());
    }
    ShieldSettings shield = settings.shield();
    if (shield != null) {
      values.put(SHIELD, shield.maxMemory().bytes());
    }
    LimitsSettings limits = settings.limits();
    if (limits != null) {
      values.put(COUNTERS, (long) limits.maxCounters());
    }
    return new MemorySizes(values);
  }

  /** Returns the maximum memory of a store, in bytes. */
  long of(StoreSettings store) {
    return value(path(store));
  }

  /** Returns the maximum memory of the shield, in bytes. */
  long shield() {
    return value(SHIELD);
  }

  /** Returns the maximum number of counters. */
  long counters() {
    return value(COUNTERS);
  }

  /**
   * Returns the largest sizes that are accepted, if some values are multiplied by one common factor
   * of at most 1; empty if not even the smallest possible sizes are.
   *
   * @param lowered selects the settings whose values may change
   */
  Optional<MemorySizes> largest(Predicate<String> lowered, Predicate<MemorySizes> accepted) {
    int low = 0;
    int high = STEPS;
    if (!accepted.test(scaled(lowered, low))) {
      return Optional.empty();
    }
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (accepted.test(scaled(lowered, middle))) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return Optional.of(scaled(lowered, low));
  }

  /** Returns the smallest sizes, for the settings that are selected. */
  MemorySizes smallest(Predicate<String> lowered) {
    return scaled(lowered, 0);
  }

  /** Returns the values that are lower than others, as they are written in the file, by path. */
  Map<String, String> lowerThan(MemorySizes others) {
    var lower = new LinkedHashMap<String, String>();
    values.forEach(
        (path, value) -> {
          if (value < others.value(path)) {
            lower.put(path, text(path, value));
          }
        });
    return lower;
  }

  /** Returns all values as they are written in the file, by path. */
  Map<String, String> texts() {
    var texts = new LinkedHashMap<String, String>();
    values.forEach((path, value) -> texts.put(path, text(path, value)));
    return texts;
  }

  private MemorySizes scaled(Predicate<String> lowered, int steps) {
    var scaled = new LinkedHashMap<String, Long>();
    values.forEach(
        (path, value) ->
            scaled.put(path, lowered.test(path) ? scaled(unit(path), value, steps) : value));
    return new MemorySizes(scaled);
  }

  /** Returns a part of a value in whole units, at least one unit. */
  private static long scaled(long unit, long value, int steps) {
    double part = (double) value / STEPS * steps;
    return steps == STEPS ? value : Math.min(value, Math.max(unit, (long) part / unit * unit));
  }

  private static long unit(String path) {
    return path.equals(COUNTERS) ? THOUSAND : MEBIBYTE;
  }

  private static String text(String path, long value) {
    return path.equals(COUNTERS) ? Long.toString(value) : new ByteSize(value).toString();
  }

  private static String path(StoreSettings store) {
    return "stores[" + store.name() + "].max_memory";
  }

  private long value(String path) {
    Long value = values.get(path);
    if (value == null) {
      throw new IllegalArgumentException("path must be one of " + values.keySet() + ": " + path);
    }
    return value;
  }
}
