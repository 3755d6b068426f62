package io.heatshield.cli.size;

import io.heatshield.cli.view.TextTable;
import io.heatshield.runtime.memory.MemoryText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes an estimate for people. */
public final class SizeText {
  private static final double MINUTE = 60;
  private static final double HOUR = 60 * MINUTE;
  private static final double DAY = 24 * HOUR;

  private SizeText() {}

  /** Returns the lines before the configuration. */
  public static List<String> lines(SizeEstimate estimate, SizedStore store) {
    KeySet keys = estimate.keys();
    var lines = new ArrayList<String>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d keys of %,d bytes%s; false positive rate asked for: %s",
            keys.items(),
            keys.keyBytes(),
            keys.valueBytes() == null ? "" : " with values of " + keys.valueBytes() + " bytes",
            rate(keys.rate())));
    lines.add("");
    lines.addAll(table(estimate).lines());
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "cuckoo filter: %d-bit fingerprints, %s on the heap and %s outside it",
            estimate.filter().fingerprintBits(),
            MemoryText.size(estimate.filter().heapBytes()),
            MemoryText.size(estimate.filter().directBytes())));
    lines.add(
        String.format(
            Locale.ROOT,
            "build: about %s with one thread of this machine, which added %,.0f keys/s to a filter"
                + " of %s",
            duration(estimate.buildSeconds()),
            estimate.speed().keysPerSecond(),
            MemoryText.size(estimate.speed().bytes())));
    lines.add(
        String.format(
            Locale.ROOT,
            "to provide for a server with the store below: %s, on a machine with %s",
            store.javaOptions(),
            MemoryText.size(store.machineBytes())));
    return lines;
  }

  private static TextTable table(SizeEstimate estimate) {
    KeySet keys = estimate.keys();
    var table = new TextTable("", ">raw keys", ">Bloom filter", ">cuckoo filter");
    row(table, estimate, "memory", one -> MemoryText.size(Math.round(one.bytes())));
    row(table, estimate, "bits per key", one -> number(one.bitsPerKey()));
    row(table, estimate, "false positive rate", one -> one.rate() == 0 ? "0" : rate(one.rate()));
    if (keys.missesPerSecond() != null) {
      String title = "false positives/s at " + number(keys.missesPerSecond()) + " misses/s";
      row(table, estimate, title, one -> number(orZero(one.falsePositivesPerSecond())));
    }
    if (keys.pricePerGibMonth() != null) {
      row(table, estimate, "cost per month", one -> number(orZero(one.costPerMonth())));
    }
    row(table, estimate, "keys can be removed", one -> one.removes() ? "yes" : "no");
    return table;
  }

  private static void row(
      TextTable table, SizeEstimate estimate, String title, Function<Alternative, String> cell) {
    List<String> cells = estimate.alternatives().stream().map(cell).toList();
    table.row(title, cells.get(0), cells.get(1), cells.get(2));
  }

  private static double orZero(@Nullable Double value) {
    return value == null ? 0 : value;
  }

  /** Returns a number with about three digits. */
  private static String number(double value) {
    String format = value == 0 || value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f";
    return value > 0 && value < 0.01
        ? String.format(Locale.ROOT, "%.2g", value)
        : String.format(Locale.ROOT, format, value);
  }

  private static String rate(double rate) {
    BigDecimal percent = new BigDecimal(100 * rate).round(new MathContext(3)).stripTrailingZeros();
    return percent.toPlainString() + " %";
  }

  private static String duration(double seconds) {
    if (seconds < 1) {
      return "1 s";
    }
    if (seconds < 2 * MINUTE) {
      return number(seconds) + " s";
    }
    if (seconds < 2 * HOUR) {
      return number(seconds / MINUTE) + " min";
    }
    return seconds < 2 * DAY ? number(seconds / HOUR) + " h" : number(seconds / DAY) + " days";
  }
}
