package io.heatshield.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Checks the plan in docs/guide/fleet.md against its unit costs, and these against measurements.
 */
class FleetPlanTest {
  private static final int COUNTERS_MEASURED = 4 * 1024;
  private static final List<String> WHOLE =
      List.of("add", "merge", "view per scope", "view per node", "read view", "touch");

  @Test
  void plan_everyRow_followsFromTheUnitCosts() throws IOException {
    Map<String, Double> costs = costs("docs/guide/fleet.md");
    List<List<String>> plan = rows("docs/guide/fleet.md", 13).stream().skip(1).toList();

    assertThat(plan).hasSizeGreaterThanOrEqualTo(5);
    assertThat(plan).allSatisfy(row -> assertThat(row).isEqualTo(expected(row, costs)));
    assertThat(plan).anySatisfy(row -> assertThat(row).startsWith("1,000", "100,000,000"));
  }

  @Test
  void costs_comparedWithTheMeasured_areNotLower() throws IOException {
    Map<String, Double> planned = costs("docs/guide/fleet.md");
    Map<String, Double> measured = costs("bench/results/fleet.md");

    assertAtLeast(planned, "snapshot", cost(measured, "snapshot at 1000000 touches/s"), 1);
    for (String time : List.of("publish", "unpack")) {
      assertAtLeast(planned, time, cost(measured, time), 1000);
    }
    assertAtLeast(planned, "memory", cost(measured, "memory"), 1);
    for (String whole : WHOLE) {
      assertThat(cost(planned, whole)).as(whole).isGreaterThanOrEqualTo(cost(measured, whole));
    }
  }

  private static void assertAtLeast(
      Map<String, Double> planned, String name, double perScope, double scale) {
    assertThat(cost(planned, name))
        .as(name)
        .isGreaterThanOrEqualTo(perScope * scale / COUNTERS_MEASURED);
  }

  private static List<String> expected(List<String> row, Map<String, Double> costs) {
    double nodes = number(row.get(0));
    double touches = number(row.get(1));
    double width = number(row.get(2));
    double scopes = number(row.get(3));
    double interval = number(row.get(4).replace(" s", ""));
    double counters = 4 * width * scopes;
    double view = scopes * cost(costs, "view per scope") + nodes * cost(costs, "view per node");
    double snapshots = nodes * counters * cost(costs, "snapshot");
    double taking = counters * (cost(costs, "unpack") + 2 * cost(costs, "add")) / 1e9;
    double merging = 2 * scopes * cost(costs, "merge") / 1e6;
    double publishing = counters * cost(costs, "publish") / 1e9;
    double reading = 2 * cost(costs, "read view") / 1e6;
    return List.of(
        row.get(0),
        row.get(1),
        row.get(2),
        row.get(3),
        row.get(4),
        text("%.1f", (snapshots + 2 * view) / interval / 1e6),
        text("%.1f", (snapshots + 2 * view * (nodes - 1)) / interval / 1e6),
        text("%,.0f", (12 * nodes + 4) / interval),
        text("%,.1f", nodes * counters * cost(costs, "memory") / 1e6),
        text("%.1f", nodes * (taking + merging) / interval * 100),
        text("%.2f", (publishing + reading) / interval * 100),
        text("%.2f", touches * cost(costs, "touch") / 1e9),
        text("%,.0f", Math.E / width * touches));
  }

  private static Map<String, Double> costs(String file) throws IOException {
    var costs = new HashMap<String, Double>();
    for (List<String> row : rows(file, 3)) {
      if (row.get(1).matches("[0-9.]+")) {
        costs.put(row.get(0), number(row.get(1)));
      }
    }
    return costs;
  }

  private static double cost(Map<String, Double> costs, String name) {
    return Objects.requireNonNull(costs.get(name), name);
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace(",", ""));
  }

  private static String text(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  /** Returns the rows of tables with this number of columns, without separator lines. */
  private static List<List<String>> rows(String file, int columns) throws IOException {
    return Files.readAllLines(Tree.ROOT.resolve(file)).stream()
        .filter(line -> line.startsWith("| "))
        .map(line -> line.substring(1, line.lastIndexOf('|')))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .filter(row -> row.size() == columns)
        .toList();
  }
}
