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

  /** Every bar there is; a later structure adds its own here. */
  static final List<Bar> ALL =
      List.of(
          sketch("addBytes/1", "rivalCaffeineBytes/1", 0.6, "shared sketch, bytes"),
          sketch("addText/1", "rivalCaffeineText/1", 0.6, "shared sketch, text"),
          sketch("singleWriterBytes/1", "rivalCaffeineBytes/1", 0.6, "single writer, bytes"),
          sketch("singleWriterText/1", "rivalCaffeineText/1", 0.6, "single writer, text"),
          sketch("countHash/2", "singleWriterHash/2", 1 / 0.65, "two threads: 0.65 of two private"),
          sketch("countOneKey/2", "countOneKey/1", 2, "two threads on one key: those of one"));

  /** Benchmarks that must allocate nothing. */
  static final List<String> ALLOCATE_NOTHING =
      List.of(
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

  /** Returns the bar's line of the table. */
  String line(Map<String, JmhResult> results) {
    JmhResult one = results.get(ours);
    JmhResult other = results.get(rival);
    if (one == null || other == null) {
      return "| %s | `%s` | `%s` | | %s | not run |".formatted(says, ours, rival, number(atMost));
    }
    double ratio = one.nanos() / other.nanos();
    return "| %s | `%s` %s | `%s` %s | %s | %s | %s |"
        .formatted(
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
