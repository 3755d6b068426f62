package io.heatshield.replay;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws line and bar charts as SVG without script; all text is escaped. */
final class Plot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 240;
  private static final int LEFT = 70;
  private static final int BOTTOM = 26;

  private Plot() {}

  /** A line of a chart: its name, its CSS class, and its value at a sample. */
  record Curve(String name, String style, ToDoubleFunction<Sample> value) {}

  /** Returns a line chart over the time of the trace. */
  static String lines(String title, List<Sample> samples, List<Curve> curves) {
    double most = 1;
    for (Curve curve : curves) {
      most = Math.max(most, samples.stream().mapToDouble(curve.value()).max().orElse(1));
    }
    double last = Math.max(1, samples.isEmpty() ? 1 : samples.get(samples.size() - 1).millis());
    var svg = begin(title, HEIGHT);
    axes(svg, most, last);
    int row = 0;
    for (Curve curve : curves) {
      svg.append("<polyline class=\"").append(curve.style()).append("\" points=\"");
      for (Sample sample : samples) {
        append(
            svg,
            "%.1f,%.1f ",
            LEFT + sample.millis() / last * (WIDTH - LEFT - 10),
            y(curve.value().applyAsDouble(sample), most));
      }
      svg.append("\"/>");
      append(
          svg, "<text class=\"%s\" x=\"%d\" y=\"%d\">", curve.style(), LEFT + 10, 34 + 16 * row++);
      svg.append(escape(curve.name())).append("</text>");
    }
    return svg.append("</svg>").toString();
  }

  /** Returns a bar chart with a name and a value for each bar. */
  static String bars(String title, List<String> names, List<Double> values, String unit) {
    int rows = names.size();
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    var svg = begin(title, 30 + 20 * rows);
    for (int i = 0; i < rows; i++) {
      double length = most <= 0 ? 0 : Math.max(0, values.get(i)) / most * (WIDTH - 480);
      int top = 26 + 20 * i;
      append(svg, "<text x=\"340\" y=\"%d\" text-anchor=\"end\">", top + 13);
      svg.append(escape(ReportFormat.cut(names.get(i), 44))).append("</text>");
      append(
          svg, "<rect class=\"a\" x=\"350\" y=\"%d\" width=\"%.1f\" height=\"14\"/>", top, length);
      append(
          svg,
          "<text x=\"%.1f\" y=\"%d\">%,.3f %s</text>",
          356 + length,
          top + 13,
          values.get(i),
          unit);
    }
    return svg.append("</svg>").toString();
  }

  /** Returns the text, escaped for HTML. */
  static String escape(String text) {
    var escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private static StringBuilder begin(String title, int height) {
    var svg = new StringBuilder();
    append(svg, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, height);
    svg.append(escape(title)).append("\"><text class=\"title\" x=\"4\" y=\"14\">");
    return svg.append(escape(title)).append("</text>");
  }

  private static void axes(StringBuilder svg, double most, double lastMillis) {
    for (int i = 0; i <= 4; i++) {
      double value = most * i / 4;
      double y = y(value, most);
      append(svg, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y, WIDTH - 10, y);
      append(
          svg,
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,.1f</text>",
          LEFT - 6,
          y + 4,
          value);
      double x = LEFT + (WIDTH - LEFT - 10) * i / 4.0;
      append(
          svg,
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%,.1f s</text>",
          x,
          HEIGHT - 6,
          i == 4 ? "end" : "middle",
          lastMillis * i / 4e3);
    }
  }

  private static double y(double value, double most) {
    return HEIGHT - BOTTOM - value / most * (HEIGHT - BOTTOM - 24);
  }

  private static void append(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}
