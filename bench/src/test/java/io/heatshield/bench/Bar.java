package io.heatshield.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A ratio that is to be held: the time of one benchmark over that of another in the same run.
 *
 * @param ours what is measured, as {@code Class.method/threads}
 * @param rival what it is measured against, in the same form
 * @param atMost the largest ratio of nanoseconds per operation that passes
 * @param says what the bar means
 */
record Bar(String ours, String rival, double atMost, String says) {
  private static final String SKETCH = "CountMinSketchBenchmark.";
  private static final String FILTER = "CuckooFilterBenchmark.";
  private static final String FILL = "CuckooFilterFillBenchmark.";

  /** Every bar there is; a later structure adds its own here. */
  static final List<Bar> ALL =
      List.of(
          sketch("addBytes/1", "rivalCaffeineBytes/1", 0.6, "shared sketch, bytes"),
          sketch("addText/1", "rivalCaffeineText/1", 0.6, "shared sketch, text"),
          sketch("singleWriterBytes/1", "rivalCaffeineBytes/1", 0.6, "single writer, bytes"),
          sketch("singleWriterText/1", "rivalCaffeineText/1", 0.6, "single writer, text"),
          sketch("countHash/2", "singleWriterHash/2", 1 / 0.65, "two threads: 0.65 of two private"),
          sketch("countOneKey/2", "countOneKey/1", 2, "two threads on one key: those of one"),
          filter("containsPresent", "rivalFastfilterPresent", 0.6, "filter, present, fastfilter"),
          filter("containsAbsent", "rivalFastfilterAbsent", 0.6, "filter, absent, fastfilter"),
          filter("containsPresent", "rivalGuavaPresent", 0.1, "filter, present, Guava"),
          filter("containsAbsent", "rivalGuavaAbsent", 0.1, "filter, absent, Guava"),
          large("containsPresent", "pointerChase", 2, "10^8 keys, present: two misses"),
          large("containsAbsent", "pointerChase", 2, "10^8 keys, absent: two misses"),
          large("containsPresent", "rivalGuavaPresent", 1, "10^8 keys, present, Guava"),
          large("containsAbsent", "rivalGuavaAbsent", 1, "10^8 keys, absent, Guava"),
          new Bar(FILL + "add/1", FILL + "rivalGuavaPut/1", 1, "filter, fill to 95 %, Guava"));

  /** Benchmarks that must allocate nothing. */
  static final List<String> ALLOCATE_NOTHING =
      List.of(
          SKETCH + "addBytes/1",
          SKETCH + "addText/1",
          SKETCH + "countBytes/1",
          SKETCH + "estimateHash/1",
          SKETCH + "singleWriterBytes/1",
          SKETCH + "singleWriterText/1",
          FILTER + "containsPresent/1",
          FILTER + "containsAbsent/1",
          FILTER + "deleteAndAdd/1",
          FILL + "add/1",
          "KeyHashBenchmark.fastBytes/1",
          "KeyHashBenchmark.fastDirectBuffer/1",
          "KeyHashBenchmark.fastAscii/1",
          "KeyHashBenchmark.fastAccented/1",
          "KeyHashBenchmark.sip13Bytes/1",
          "KeyHashBenchmark.sip13Ascii/1");

  private static Bar sketch(String ours, String rival, double atMost, String says) {
    return new Bar(SKETCH + ours, SKETCH + rival, atMost, says);
  }

  private static Bar filter(String ours, String rival, double atMost, String says) {
    return filter(1_000_000, ours, rival, atMost, says);
  }

  private static Bar large(String ours, String rival, double atMost, String says) {
    return filter(100_000_000, ours, rival, atMost, says);
  }

  private static Bar filter(int keys, String ours, String rival, double atMost, String says) {
    String of = "/1 keys=" + keys;
    return new Bar(FILTER + ours + of, FILTER + rival + of, atMost, says);
  }

  /** Returns the bar's line of the table. */
  String line(Map<String, JmhResult> results) {
    JmhResult one = results.get(ours);
    JmhResult other = results.get(rival);
    if (one == null || other == null) {
      return String.format(
          Locale.ROOT, "| %s | `%s` | `%s` | | %s | not run |", says, ours, rival, number(atMost));
    }
    double ratio = one.nanos() / other.nanos();
    return String.format(
        Locale.ROOT,
        "| %s | `%s` %s | `%s` %s | %s | %s | %s |",
        says,
        ours,
        number(one.nanos()),
        rival,
        number(other.nanos()),
        number(ratio),
        number(atMost),
        ratio <= atMost ? "pass" : "**FAIL**");
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
