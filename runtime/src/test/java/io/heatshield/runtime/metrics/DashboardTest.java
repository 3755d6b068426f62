package io.heatshield.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.runtime.json.JsonReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The parts of Grafana's dashboard model without which an import fails or shows nothing. */
class DashboardTest {
  private static final Path DASHBOARD = Path.of("..", "docs", "monitoring", "dashboard.json");
  private static final Set<String> PANELS =
      Set.of("row", "stat", "timeseries", "table", "text", "heatmap");
  private static final int COLUMNS = 24;

  @Test
  void dashboard_asAWhole_canBeImported() throws Exception {
    Map<?, ?> dashboard = dashboard();

    assertThat(text(dashboard, "title")).isNotBlank();
    assertThat(text(dashboard, "uid")).matches("[a-zA-Z0-9_-]{1,40}");
    assertThat(number(dashboard, "schemaVersion")).isGreaterThanOrEqualTo(36);
    assertThat(dashboard.get("id")).as("an id of another Grafana").isNull();
    assertThat(objects(object(dashboard, "templating"), "list"))
        .extracting(variable -> text(variable, "name"))
        .contains("datasource");
  }

  @Test
  void panels_all_haveTheirOwnIdAndPlace() throws Exception {
    List<Map<?, ?>> panels = panels();

    assertThat(panels).extracting(panel -> number(panel, "id")).doesNotHaveDuplicates();
    assertThat(panels).extracting(panel -> text(panel, "type")).isSubsetOf(PANELS);
    var taken = new ArrayList<String>();
    for (Map<?, ?> panel : panels) {
      Map<?, ?> place = object(panel, "gridPos");
      assertThat(number(place, "x") + number(place, "w")).isLessThanOrEqualTo(COLUMNS);
      for (int x = number(place, "x"); x < number(place, "x") + number(place, "w"); x++) {
        for (int y = number(place, "y"); y < number(place, "y") + number(place, "h"); y++) {
          taken.add(x + "," + y);
        }
      }
    }
    assertThat(taken).as("cells of the grid").doesNotHaveDuplicates();
  }

  @Test
  void panels_withQueries_askTheChosenDataSource() throws Exception {
    for (Map<?, ?> panel : panels()) {
      assertThat(text(panel, "title")).isNotBlank();
      if (text(panel, "type").equals("row")) {
        continue;
      }
      List<Map<?, ?>> targets = objects(panel, "targets");
      assertThat(text(object(panel, "datasource"), "uid")).isEqualTo("${datasource}");
      assertThat(targets).isNotEmpty();
      assertThat(targets).extracting(target -> text(target, "refId")).doesNotHaveDuplicates();
      assertThat(targets).allSatisfy(target -> assertThat(text(target, "expr")).isNotBlank());
    }
  }

  private static Map<?, ?> dashboard() throws Exception {
    return (Map<?, ?>) Objects.requireNonNull(JsonReader.read(Files.readAllBytes(DASHBOARD)));
  }

  private static List<Map<?, ?>> panels() throws Exception {
    return objects(dashboard(), "panels");
  }

  private static List<Map<?, ?>> objects(Map<?, ?> of, String name) {
    var all = new ArrayList<Map<?, ?>>();
    for (Object one : (List<?>) Objects.requireNonNull(of.get(name), name)) {
      all.add((Map<?, ?>) one);
    }
    return all;
  }

  private static Map<?, ?> object(Map<?, ?> of, String name) {
    return (Map<?, ?>) Objects.requireNonNull(of.get(name), () -> name + " of " + of);
  }

  private static String text(Map<?, ?> of, String name) {
    return String.valueOf(Objects.requireNonNull(of.get(name), () -> name + " of " + of));
  }

  private static int number(Map<?, ?> of, String name) {
    return (int) Double.parseDouble(text(of, name));
  }
}
