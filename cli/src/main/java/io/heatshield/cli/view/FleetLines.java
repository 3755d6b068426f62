package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats the state of the fleet. */
public final class FleetLines {
  private FleetLines() {}

  /**
   * Returns a line about the nodes, and one for each failing node, each protection that saved calls
   * and each scope; empty if the answer is not about a fleet.
   */
  public static List<String> of(JsonObject answer) {
    if (!answer.names().contains("fleet")) {
      return List.of();
    }
    JsonObject fleet = answer.object("fleet");
    if (!fleet.text("local_only").isEmpty()) {
      return List.of("LOCAL ONLY, the counts of this node: " + fleet.text("local_only") + ".");
    }
    List<JsonObject> nodes = fleet.list("nodes");
    var lines = new ArrayList<String>();
    long live = nodes.stream().filter(node -> node.text("state").equals("live")).count();
    lines.add(
        String.format(
            Locale.ROOT,
            "Fleet %s: %d of %d nodes live, %s ms old, merged by %s.",
            fleet.text("name"),
            live,
            nodes.size(),
            fleet.whole("age_millis"),
            fleet.text("merger")));
    nodes.stream()
        .filter(node -> !node.text("why").isEmpty() || !node.text("state").equals("live"))
        .map(node -> line("%s is %s: %s", node.text("node"), node.text("state"), node.text("why")))
        .forEach(lines::add);
    fleet.list("savings").stream()
        .filter(saved -> saved.number("saved") + saved.number("would_have_saved") > 0)
        .map(FleetLines::savings)
        .forEach(lines::add);
    answer.list("scopes").stream().map(FleetLines::scope).forEach(lines::add);
    answer.list("scopes").stream()
        .filter(scope -> scope.names().contains("complete") && !scope.is("complete"))
        .map(FleetLines::incomplete)
        .forEach(lines::add);
    return lines;
  }

  private static String savings(JsonObject saved) {
    return line(
        "%s saved %s calls, and would have saved %s.",
        saved.text("action"), saved.whole("saved"), saved.whole("would_have_saved"));
  }

  private static String scope(JsonObject scope) {
    return line(
        "In %s %s %s keys, %s requests; an estimate is at most %s too high.",
        scope.text("scope"),
        scope.is("at_least") ? "at least" : "about",
        scope.whole("distinct"),
        scope.whole("touches"),
        scope.whole("error_bound"));
  }

  private static String incomplete(JsonObject scope) {
    return line(
        "In %s a key with up to %s requests may be missing from the list: increase detect.top_k.",
        scope.text("scope"), scope.whole("unlisted_below"));
  }

  private static String line(String format, Object... values) {
    return "  " + String.format(Locale.ROOT, format, values);
  }

  /** Returns the nodes with the largest share of a key, or a dash if unknown. */
  static String shares(JsonObject key) {
    double all = Math.max(1, key.number("estimate"));
    String text =
        key.list("shares").stream()
            .limit(3)
            .map(
                share ->
                    String.format(
                        Locale.ROOT,
                        "%s %.0f %%",
                        share.text("node"),
                        100 * share.number("estimate") / all))
            .collect(Collectors.joining(", "));
    return text.isEmpty() ? "-" : text;
  }
}
