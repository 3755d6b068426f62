package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is known about one key, in lines for people: first what to do, then why. */
public final class ExplainText {
  private static final int CLIENTS = 5;

  private ExplainText() {}

  /** Returns the lines. */
  public static List<String> lines(Facts known) {
    var lines = new ArrayList<String>();
    Facts advice = known.object("recommendation");
    if (!advice.names().isEmpty()) {
      lines.add(TextTable.visible(advice.text("says")));
      lines.add(TextTable.visible(advice.text("advice")));
      lines.add(
          (advice.is("in_effect") ? "In effect:  " : "Set:  ")
              + TextTable.visible(advice.text("line")));
      lines.add("");
    }
    lines.addAll(table(known));
    return lines;
  }

  private static List<String> table(Facts known) {
    var table = new TextTable("fact", "value");
    table.row("key", known.text("key"));
    table.row("scope", known.text("scope"));
    table.row("state", known.text("state"));
    table.row("rate", known.whole("rate") + "/s");
    table.row(
        "its baseline",
        known.text("baseline_rate").isEmpty()
            ? "not recorded yet"
            : known.whole("baseline_rate")
                + "/s over "
                + known.whole("baseline_moments")
                + " moments");
    table.row("peak", known.whole("peak_rate") + "/s");
    table.row("share of the scope", known.percent("share"));
    table.row(
        "touches in the window",
        known.whole("estimate") + ", too high by at most " + known.whole("error"));
    table.row("counted for certain", known.whole("guaranteed"));
    for (String time : List.of("since", "first_seen", "last_seen")) {
      table.row(time.replace('_', ' '), known.text(time).isEmpty() ? "-" : known.text(time));
    }
    Facts context = known.object("context");
    if (!context.names().isEmpty()) {
      uses(table, context);
    }
    for (Facts done : known.list("done")) {
      table.row(done.text("action"), done(done));
    }
    table.row("key hash", known.text("key_hash"));
    List<String> lines = table.lines();
    return lines.subList(1, lines.size());
  }

  private static void uses(TextTable table, Facts context) {
    table.row(
        "reads and writes",
        context.whole("reads") + " reads, " + context.whole("writes") + " writes");
    table.row(
        "reads of nothing", context.whole("misses") + " (" + context.percent("miss_share") + ")");
    table.row("refused writes", context.whole("throttled"));
    table.row("bytes moved", context.whole("bytes"));
    table.row("commands", parts(context.object("commands")));
    table.row("callers", "about " + context.whole("distinct_clients"));
    Facts clients = context.object("clients");
    clients.names().stream()
        .limit(CLIENTS)
        .forEach(name -> table.row("  " + name, "about " + clients.whole(name)));
  }

  private static String parts(Facts uses) {
    return uses.names().stream()
        .map(name -> name + " " + uses.whole(name))
        .collect(Collectors.joining(", "));
  }

  private static String done(Facts done) {
    return done.text("mode").equals("observe")
        ? String.format(
            Locale.ROOT,
            "observed: would have acted %s times and saved %s calls",
            done.whole("would_have_applied"),
            done.whole("would_have_saved"))
        : String.format(
            Locale.ROOT,
            "acted %s times, saved %s calls",
            done.whole("applied"),
            done.whole("saved"));
  }
}
