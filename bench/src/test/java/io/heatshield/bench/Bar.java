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
  private static final String RING = "HotRingBenchmark.";

  /** Every bar there is; a later structure adds its own here. */
  static final List<Bar> ALL =
      List.of(
          sketch("addBytes/1", "rivalCaffeineBytes/1", 0.6, "shared sketch, bytes"),
          sketch("addText/1", "rivalCaffeineText/1", 0.6, "shared sketch, text"),
          sketch("singleWriterBytes/1", "rivalCaffeineBytes/1", 0.6, "single writer, bytes"),
          sketch("singleWriterText/1", "rivalCaffeineText/1", 0.6, "single writer, text"),
          sketch("countHash/2", "singleWriterHash/2", 1 / 0.65, "two threads: 0.65 of two private"),
          sketch("countOneKey/2", "countOneKey/1", 2, "two threads on one key: those of one"),
          ring("touchBytes/1", "rivalMapBytes/1", 1, "touch against a map of adders, bytes"),
          ring("touchText/1", "rivalMapText/1", 1, "touch against a map of adders, text"),
          ring("touchBytes/2", "rivalMapBytes/2", 1, "the same by two threads, bytes"),
          ring("touchText/2", "rivalMapText/2", 1, "the same by two threads, text"),
          ring("touchWindowBytes/1", "touchBytes/1", 1.5, "8-slot window against none, bytes"),
          ring("touchWindowText/1", "touchText/1", 1.5, "8-slot window against none, text"),
          ring("touchOneKey/2", "rivalAtomicLong/2", 1 / 0.9, "two threads on one key: 0.9x"),
          clamp("One", "Bucket4j", 100),
          clamp("One", "Resilience4j", 100),
          clamp("One", "Guava", 100),
          clamp("One", "Sentinel", 100),
          clamp("Many", "Bucket4j", 100),
          clamp("Many", "Resilience4j", 100),
          clamp("Many", "Guava", 100),
          clamp("Many", "Sentinel", 100),
          clamp("One", "Bucket4j", 1_000_000_000),
          clamp("One", "Resilience4j", 1_000_000_000),
          clamp("One", "Guava", 1_000_000_000),
          clamp("One", "Sentinel", 1_000_000_000),
          clamp("Many", "Bucket4j", 1_000_000_000),
          clamp("Many", "Resilience4j", 1_000_000_000),
          clamp("Many", "Guava", 1_000_000_000),
          clamp("Many", "Sentinel", 1_000_000_000));

  /** Benchmarks that must allocate nothing. */
  static final List<String> ALLOCATE_NOTHING =
      List.of(
          RING + "touchBytes/1",
          RING + "touchText/1",
          RING + "touchBuffer/1",
          RING + "touchDirectBuffer/1",
          RING + "touchWindowBytes/1",
          RING + "touchWindowText/1",
          RING + "countBytes/1",
          "ClampBenchmark.clampOne/1",
          "ClampBenchmark.clampOneText/1",
          "ClampBenchmark.clampMany/1",
          "ClampBenchmark.clampManyText/1",
          SKETCH + "addBytes/1",
          SKETCH + "addText/1",
          SKETCH + "countBytes/1",
          SKETCH + "estimateHash/1",
          SKETCH + "singleWriterBytes/1",
          SKETCH + "singleWriterText/1",
          "KeyHashBenchmark.fastBytes/1",
          "KeyHashBenchmark.fastDirectBuffer/1",
          "KeyHashBenchmark.fastAscii/1",
          "KeyHashBenchmark.fastAccented/1",
          "KeyHashBenchmark.sip13Bytes/1",
          "KeyHashBenchmark.sip13Ascii/1");

  private static Bar sketch(String ours, String rival, double atMost, String says) {
    return new Bar(SKETCH + ours, SKETCH + rival, atMost, says);
  }

  private static Bar ring(String ours, String rival, double atMost, String says) {
    return new Bar(RING + ours, RING + rival, atMost, says);
  }

  private static Bar clamp(String keys, String rival, int limit) {
    String parameters = " limit=" + limit;
    return new Bar(
        "ClampBenchmark.clamp" + keys + "/1" + parameters,
        "ClampBenchmark.rival" + rival + keys + "/1" + parameters,
        0.25,
        "clamp against " + rival + ", " + keys.toLowerCase(Locale.ROOT) + ", " + limit);
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
