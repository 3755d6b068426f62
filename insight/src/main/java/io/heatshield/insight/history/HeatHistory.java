package io.heatshield.insight.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A history of the rates of the hottest keys in a fixed amount of memory, {@link #bytes} at most.
 * Thread-safe, by a lock.
 *
 * <p>A column is one sample with the rates of at most {@value #CELLS} keys or prefixes. The number
 * of columns is fixed, {@value #COLUMNS} by default, and a new column replaces the oldest. A name
 * is kept while a column refers to it. The number of names is fixed too, {@value #MAX_NAMES} by
 * default: a key for which there is no room is omitted and counted.
 */
public final class HeatHistory {
  /** The default number of samples. */
  public static final int COLUMNS = 2400;

  /** The maximum number of keys in a sample. */
  public static final int CELLS = 48;

  /** The default number of names. */
  public static final int MAX_NAMES = 4096;

  private static final int NAME_BYTES = 640;

  /*
   * cells[column * CELLS + i]   a name, or null at the end of the column
   * entries                     the names to which at least one cell refers
   */
  private final int columns;
  private final int maxNames;
  private final @Nullable Entry[] cells;
  private final float[] rates;
  private final long[] times;
  private final Map<HotName, Entry> entries = new HashMap<>();
  private int next;
  private long leftOut;

  /** Creates an empty history of the default size. */
  public HeatHistory() {
    this(COLUMNS, MAX_NAMES);
  }

  /** Creates an empty history for a number of samples and names. */
  public HeatHistory(int columns, int maxNames) {
    this.columns = columns;
    this.maxNames = maxNames;
    cells = new Entry[columns * CELLS];
    rates = new float[columns * CELLS];
    times = new long[columns];
  }

  /** Returns the maximum memory of this history, in bytes. */
  public long bytes() {
    return bytes(columns, maxNames);
  }

  /** Returns the maximum memory of a history of the default size, in bytes. */
  public static long maxBytes() {
    return bytes(COLUMNS, MAX_NAMES);
  }

  private static long bytes(int columns, int maxNames) {
    return columns * (CELLS * 8L + 8) + maxNames * (64L + NAME_BYTES);
  }

  /**
   * Adds a sample.
   *
   * @param millis the time of the sample, in Unix milliseconds
   * @param heats the rates, of which the {@value #CELLS} highest are kept
   */
  public synchronized void add(long millis, List<Heat> heats) {
    int at = next * CELLS;
    clear(at);
    for (Heat heat :
        heats.stream()
            .sorted(Comparator.comparingDouble(Heat::rate).reversed())
            .limit(CELLS)
            .toList()) {
      Entry entry = acquire(heat.name());
      if (entry == null) {
        leftOut++;
      } else {
        cells[at] = entry;
        rates[at++] = (float) heat.rate();
      }
    }
    times[next] = millis;
    next = (next + 1) % columns;
  }

  /** Returns how many keys were omitted because there was no room for their names. */
  public synchronized long leftOut() {
    return leftOut;
  }

  /**
   * Returns the hottest names of a period.
   *
   * @param filter selects the names
   * @param fromMillis the start, inclusive
   * @param toMillis the end, exclusive
   * @param parts the number of equal parts, each with its highest rate
   * @param rows the maximum number of names, by their highest rate
   */
  public synchronized HeatMap between(
      Predicate<HotName> filter, long fromMillis, long toMillis, int parts, int rows) {
    if (parts < 1 || toMillis <= fromMillis) {
      throw new IllegalArgumentException("parts must be positive and fromMillis before toMillis");
    }
    Set<Entry> matching =
        entries.values().stream()
            .filter(entry -> filter.test(entry.name))
            .collect(Collectors.toSet());
    var found = new HashMap<Entry, float[]>();
    boolean[] seen = new boolean[parts];
    for (int column = 0; column < columns; column++) {
      if (!isWithin(column, fromMillis, toMillis)) {
        continue;
      }
      int part = (int) ((times[column] - fromMillis) * parts / (toMillis - fromMillis));
      seen[part] = true;
      for (int i = column * CELLS; i < (column + 1) * CELLS; i++) {
        Entry entry = cells[i];
        if (entry != null && matching.contains(entry)) {
          float[] line = found.computeIfAbsent(entry, unused -> new float[parts]);
          line[part] = Math.max(line[part], rates[i]);
        }
      }
    }
    var lines = new ArrayList<HeatMap.Line>();
    found.forEach((entry, line) -> lines.add(new HeatMap.Line(entry.name, list(line))));
    lines.sort(Comparator.comparingDouble(HeatMap.Line::peak).reversed());
    return new HeatMap(
        fromMillis,
        toMillis,
        IntStream.range(0, parts).mapToObj(part -> seen[part]).toList(),
        List.copyOf(lines.subList(0, Math.min(rows, lines.size()))),
        lines.size());
  }

  /** Returns the usual rate of a name in a period, whose end is exclusive. */
  public synchronized Baseline baseline(HotName name, long fromMillis, long toMillis) {
    double[] seen = rates(name, fromMillis, toMillis);
    Arrays.sort(seen);
    return new Baseline(seen.length == 0 ? 0 : seen[seen.length / 2], seen.length);
  }

  /** Returns the highest rate of a name in a period, whose end is exclusive, or 0. */
  public synchronized double peak(HotName name, long fromMillis, long toMillis) {
    return Arrays.stream(rates(name, fromMillis, toMillis)).max().orElse(0);
  }

  /** Returns the rate in each sample, 0 where the name was not among the hottest. */
  private double[] rates(HotName name, long fromMillis, long toMillis) {
    Entry entry = entries.get(name);
    double[] found = new double[columns];
    int count = 0;
    for (int column = 0; column < columns; column++) {
      if (!isWithin(column, fromMillis, toMillis)) {
        continue;
      }
      for (int i = column * CELLS; i < (column + 1) * CELLS; i++) {
        if (entry != null && cells[i] == entry) {
          found[count] = rates[i];
        }
      }
      count++;
    }
    return Arrays.copyOf(found, count);
  }

  private boolean isWithin(int column, long fromMillis, long toMillis) {
    return times[column] != 0 && times[column] >= fromMillis && times[column] < toMillis;
  }

  private static List<Float> list(float[] rates) {
    return IntStream.range(0, rates.length).mapToObj(part -> rates[part]).toList();
  }

  /** Returns the entry of a name with one more use, or null if there is no room for the name. */
  private @Nullable Entry acquire(HotName name) {
    Entry entry = entries.get(name);
    if (entry == null) {
      if (entries.size() >= maxNames) {
        return null;
      }
      entry = new Entry(name);
      entries.put(name, entry);
    }
    entry.uses++;
    return entry;
  }

  /** Clears a column, and removes the names that no other column uses. */
  private void clear(int from) {
    for (int i = from; i < from + CELLS; i++) {
      Entry entry = cells[i];
      cells[i] = null;
      if (entry != null && --entry.uses == 0) {
        entries.remove(entry.name);
      }
    }
  }

  private static final class Entry {
    private final HotName name;
    private int uses;

    Entry(HotName name) {
      this.name = name;
    }
  }
}
