package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What an answer says of the fleet that it is from. */
public final class FleetLines {
  private FleetLines() {}

  /**
   * Returns a line about the nodes, one for each that is amiss, for each action that saved calls
   * and for each scope; none if no fleet was asked.
   */
  public static List<String> of(Facts answer) {
    if (!answer.names().contains("fleet")) {
      return List.of();
    }
    Facts fleet = answer.object("fleet");
    if (!fleet.text("local_only").isEmpty()) {
      return List.of("LOCAL ONLY, this node's own numbers: " + fleet.text("local_only") + ".");
    }
    List<Facts> nodes = fleet.list("nodes");
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
        .map(
            node ->
                "  " + node.text("node") + " is " + node.text("state") + ": " + node.text("why"))
        .forEach(lines::add);
    fleet.list("savings").stream()
        .filter(saved -> saved.number("saved") + saved.number("would_have_saved") > 0)
        .map(
            saved ->
                "  "
                    + saved.text("action")
                    + " saved "
                    + saved.whole("saved")
                    + " calls, and would have saved "
                    + saved.whole("would_have_saved")
                    + ".")
        .forEach(lines::add);
    answer.list("scopes").stream()
        .map(
            scope ->
                "  In "
                    + scope.text("scope")
                    + (scope.is("at_least") ? " at least " : " about ")
                    + scope.whole("distinct")
                    + " keys, "
                    + scope.whole("touches")
                    + " requests; an estimate is at most "
                    + scope.whole("error_bound")
                    + " too high.")
        .forEach(lines::add);
    answer.list("scopes").stream()
        .filter(scope -> scope.names().contains("complete") && !scope.is("complete"))
        .map(
            scope ->
                "  In "
                    + scope.text("scope")
                    + " a key of up to "
                    + scope.whole("unlisted_below")
                    + " requests may be kept by no node: raise detect.top_k.")
        .forEach(lines::add);
    return lines;
  }

  /** Returns which nodes counted most of a key; a dash if the answer does not say. */
  static String shares(Facts key) {
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
