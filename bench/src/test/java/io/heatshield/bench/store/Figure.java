package io.heatshield.bench.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A figure that is measured with the guard on and off. */
interface Figure {

  /** Returns the name of the figure. */
  String name();

  /** Measures in an empty folder. */
  List<Row> measure(Scale scale, Path folder) throws IOException;

  /** Returns all figures. */
  static List<Figure> all() {
    return List.of(
        new AbsentKeys(), new HotReadsOfRedis(), new HotWriter(), new Routed(), new Overhead());
  }

  /**
   * A line of the report.
   *
   * @param bar the required relation of on to off, in words
   * @param verdict 1 if the bar is reached, -1 if not, 0 without a bar
   */
  record Row(String what, double on, double off, String bar, int verdict) {

    /** Returns a row with a bar. */
    static Row of(String what, double on, double off, String bar, boolean reached) {
      return new Row(what, on, off, bar, reached ? 1 : -1);
    }

    /** Returns a row without a bar. */
    static Row withoutBar(String what, double on, double off) {
      return new Row(what, on, off, "", 0);
    }

    String line(String figure) {
      return String.format(
          Locale.ROOT,
          "| %s | %s | %.1f | %.1f | %s | %s |",
          figure,
          what,
          on,
          off,
          bar,
          verdict == 0 ? "" : verdict > 0 ? "pass" : "**FAIL**");
    }
  }
}
