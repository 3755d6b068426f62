package io.heatshield.testkit.metrics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads metrics in the text format of Prometheus. */
public final class PrometheusText {
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  private PrometheusText() {}

  /** Returns a line for each metric: its name, its type, the names of its labels, and its help. */
  public static List<String> metrics(String scrape) {
    Map<String, String> help = lines(scrape, "# HELP (heatshield_\\S+) (.*)");
    Map<String, String> type = lines(scrape, "# TYPE (heatshield_\\S+) (.*)");
    return help.keySet().stream()
        .map(
            name ->
                String.join(
                    " ", name, type.get(name), labels(scrape, name).toString(), help.get(name)))
        .toList();
  }

  private static Map<String, String> lines(String scrape, String pattern) {
    return Pattern.compile("(?m)^" + pattern + "$")
        .matcher(scrape)
        .results()
        .collect(
            Collectors.toMap(
                line -> line.group(1), line -> line.group(2), (a, b) -> a, TreeMap::new));
  }

  private static Iterable<String> labels(String scrape, String name) {
    return Pattern.compile("(?m)^" + name + "\\{(.*)\\} \\S+$")
        .matcher(scrape)
        .results()
        .flatMap(series -> LABEL.matcher(series.group(1)).results())
        .map(label -> label.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
