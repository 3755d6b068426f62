package io.heatshield.insight.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The rates of the hottest keys over some time, in a fixed number of bytes.
 *
 * <p>A column is one moment and has the rates of at most {@value #CELLS} keys or prefixes; there is
 * a fixed number of columns, {@value #COLUMNS} unless stated otherwise, and the newest takes the
 * place of the oldest. A name stays as long as a column refers to it, and the number of names is
 * fixed as well, {@value #MAX_NAMES} unless stated otherwise: a key that finds no place is left out
 * and counted. All of it takes at most {@link #bytes} bytes.
 *
 * <p>Any thread may call any method; one at a time works.
 */
public final class HeatHistory {
  /** How many moments are kept, unless stated otherwise. */
  public static final int COLUMNS = 2400;

  /** At most how many keys a moment has. */
  public static final int CELLS = 48;

  /** At most how many names there are, unless stated otherwise. */
  public static final int MAX_NAMES = 4096;

  private static final int NONE = -1;
  private static final int NAME_BYTES = 640;

  /*
   * cells[column * CELLS + i]   number of a name, or NONE: then the column ends
   * uses[name]                  how many cells speak of a name; a name without any is free
   */
  private final int columns;
  private final int maxNames;
  private final int[] cells;
  private final float[] rates;
  private final long[] times;
  private final HotName[] names;
  private final int[] uses;
  private final Map<HotName, Integer> numbers = new HashMap<>();
  private int lastFree;
  private int next;
  private long left;

  /** Creates an empty history of the usual size. */
  public HeatHistory() {
    this(COLUMNS, MAX_NAMES);
  }

  /** Creates an empty history with room for this many moments and names. */
  public HeatHistory(int columns, int maxNames) {
    this.columns = columns;
    this.maxNames = maxNames;
    cells = new int[columns * CELLS];
    rates = new float[columns * CELLS];
    times = new long[columns];
    names = new HotName[maxNames];
    uses = new int[maxNames];
    Arrays.fill(cells, NONE);
  }

  /** Returns the most bytes that this history takes. */
  public long bytes() {
    return columns * (CELLS * 8L + 8) + maxNames * (4L + 48 + NAME_BYTES);
  }

  /**
   * Adds a moment.
   *
   * @param millis Unix time, normally later than all before
   * @param heats what was hottest; of more than {@value #CELLS} the highest rates are kept
   */
  public synchronized void add(long millis, List<Heat> heats) {
    int from = next * CELLS;
    for (int i = from; i < from + CELLS && cells[i] != NONE; i++) {
      release(cells[i]);
    }
    Arrays.fill(cells, from, from + CELLS, NONE);
    int at = from;
    for (Heat heat :
        heats.stream()
            .sorted(Comparator.comparingDouble(Heat::rate).reversed())
            .limit(CELLS)
            .toList()) {
      int name = number(heat.name());
      if (name == NONE) {
        left++;
      } else {
        cells[at] = name;
        rates[at++] = (float) heat.rate();
      }
    }
    times[next] = millis;
    next = (next + 1) % columns;
  }

  /** Returns how many keys were left out because there were too many names. */
  public synchronized long leftOut() {
    return left;
  }

  /**
   * Returns the hottest names of a stretch of time.
   *
   * @param wanted which names
   * @param fromMillis where it begins, inclusive
   * @param toMillis where it ends, exclusive
   * @param parts into how many equal parts it is cut, each with its highest rate
   * @param rows at most how many names, by their highest rate
   */
  public synchronized HeatMap between(
      Predicate<HotName> wanted, long fromMillis, long toMillis, int parts, int rows) {
    if (parts < 1 || toMillis <= fromMillis) {
      throw new IllegalArgumentException("a stretch must have parts and end after it begins");
    }
    var found = new HashMap<HotName, float[]>();
    byte[] asked = new byte[maxNames];
    boolean[] seen = new boolean[parts];
    for (int column = 0; column < columns; column++) {
      long time = times[column];
      if (time == 0 || time < fromMillis || time >= toMillis) {
        continue;
      }
      int part = (int) ((time - fromMillis) * parts / (toMillis - fromMillis));
      seen[part] = true;
      for (int i = column * CELLS; i < (column + 1) * CELLS && cells[i] != NONE; i++) {
        HotName name = names[cells[i]];
        if (asked[cells[i]] == 0) {
          asked[cells[i]] = (byte) (wanted.test(name) ? 1 : 2);
        }
        if (asked[cells[i]] == 1) {
          float[] line = found.computeIfAbsent(name, unused -> new float[parts]);
          line[part] = Math.max(line[part], rates[i]);
        }
      }
    }
    var lines = new ArrayList<HeatMap.Line>();
    found.forEach((name, line) -> lines.add(new HeatMap.Line(name, list(line))));
    lines.sort(Comparator.comparingDouble(HeatMap.Line::peak).reversed());
    return new HeatMap(
        fromMillis,
        toMillis,
        IntStream.range(0, parts).mapToObj(part -> seen[part]).toList(),
        List.copyOf(lines.subList(0, Math.min(rows, lines.size()))),
        lines.size());
  }

  /** Returns how hot a name usually was in a stretch of time, its end exclusive. */
  public synchronized Baseline baseline(HotName name, long fromMillis, long toMillis) {
    float[] seen = rates(name, fromMillis, toMillis);
    Arrays.sort(seen);
    return new Baseline(seen.length == 0 ? 0 : seen[seen.length / 2], seen.length);
  }

  /** Returns the highest rate of a name in a stretch of time, its end exclusive, or 0. */
  public synchronized double peak(HotName name, long fromMillis, long toMillis) {
    float peak = 0;
    for (float rate : rates(name, fromMillis, toMillis)) {
      peak = Math.max(peak, rate);
    }
    return peak;
  }

  /** Returns the rate at each recorded moment, 0 where the name was not among the hottest. */
  private float[] rates(HotName name, long fromMillis, long toMillis) {
    int number = numbers.getOrDefault(name, NONE);
    float[] found = new float[columns];
    int count = 0;
    for (int column = 0; column < columns; column++) {
      long time = times[column];
      if (time == 0 || time < fromMillis || time >= toMillis) {
        continue;
      }
      int end = number == NONE ? column * CELLS : (column + 1) * CELLS;
      for (int i = column * CELLS; i < end && cells[i] != NONE; i++) {
        if (cells[i] == number) {
          found[count] = rates[i];
        }
      }
      count++;
    }
    return Arrays.copyOf(found, count);
  }

  private static List<Float> list(float[] rates) {
    return IntStream.range(0, rates.length).mapToObj(part -> rates[part]).toList();
  }

  private int number(HotName name) {
    Integer known = numbers.get(name);
    if (known != null) {
      uses[known]++;
      return known;
    }
    for (int looked = 0; looked < maxNames; looked++) {
      lastFree = (lastFree + 1) % maxNames;
      if (uses[lastFree] == 0) {
        names[lastFree] = name;
        numbers.put(name, lastFree);
        uses[lastFree] = 1;
        return lastFree;
      }
    }
    return NONE;
  }

  private void release(int name) {
    if (--uses[name] == 0) {
      numbers.remove(names[name]);
    }
  }
}
