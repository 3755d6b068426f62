package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats the explanation of a key: first the recommendation, then the facts. */
public final class ExplainText {
  private static final int CLIENTS = 5;

  private ExplainText() {}

  /** Returns the lines. */
  public static List<String> lines(JsonObject known) {
    if (isUntracked(known)) {
      return untracked(known);
    }
    var lines = new ArrayList<String>(advice(known.object("recommendation")));
    if (!lines.isEmpty()) {
      lines.add("");
    }
    lines.addAll(table(known));
    return lines;
  }

  /** Returns whether the detector does not track the key and knows only an upper bound. */
  private static boolean isUntracked(JsonObject known) {
    return known.text("first_seen").isEmpty()
        && known.text("last_seen").isEmpty()
        && known.text("since").isEmpty()
        && known.number("guaranteed") == 0
        && known.object("context").names().isEmpty();
  }

  private static List<String> untracked(JsonObject known) {
    String name =
        TextTable.shorten(known.text("key"))
            + " in "
            + TextTable.shorten(known.text("scope"))
            + ": ";
    return known.number("estimate") == 0
        ? List.of(name + "not seen in this window.")
        : List.of(
            name
                + "not seen; at most "
                + known.whole("estimate")
                + " requests in this window, "
                + known.whole("rate")
                + "/s.",
            "Only the busiest keys are tracked by name. The number is the sketch's estimate, which is"
                + " never below the true count.");
  }

  private static List<String> advice(JsonObject advice) {
    if (advice.names().isEmpty()) {
      return List.of();
    }
    var lines = new ArrayList<String>();
    lines.add(TextTable.printable(advice.text("says")));
    lines.add(TextTable.printable(advice.text("advice")));
    String line = TextTable.printable(advice.text("line"));
    if (advice.is("in_effect")) {
      lines.add(
          "In effect"
              + (advice.text("acted").isEmpty()
                  ? ""
                  : ", acted " + advice.whole("acted") + " times on this key")
              + (line.isEmpty() ? "." : ":  " + line));
    } else if (!line.isEmpty()) {
      lines.add("Set:  " + line);
    }
    return lines;
  }

  private static List<String> table(JsonObject known) {
    var table = new TextTable("fact", "value");
    table.row("key", known.text("key"));
    table.row("scope", known.text("scope"));
    table.row("state", known.text("state"));
    table.row("rate", known.whole("rate") + " requests/s");
    table.row(
        "baseline",
        known.text("baseline_rate").isEmpty()
            ? "not recorded yet"
            : known.whole("baseline_rate")
                + " requests/s over "
                + known.whole("baseline_moments")
                + " recordings");
    table.row("peak", known.whole("peak_rate") + " requests/s");
    table.row("share of the scope", known.percent("share"));
    table.row(
        "requests in the window",
        known.whole("estimate")
            + (known.number("error") == 0
                ? ", exact"
                : ", too high by at most " + known.whole("error")));
    table.row("guaranteed count", known.whole("guaranteed"));
    table.row("hot since", orDash(known.text("since")));
    table.row("first seen", orDash(known.text("first_seen")));
    table.row("last seen", orDash(known.text("last_seen")));
    JsonObject context = known.object("context");
    if (context.names().isEmpty()) {
      table.row("commands and clients", "not recorded");
    } else {
      uses(table, context);
    }
    actions(table, known);
    table.row("key hash", known.text("key_hash"));
    List<String> lines = table.lines();
    return lines.subList(1, lines.size());
  }

  /** Adds the protection of the key, or of its scope if the server does not report the key's. */
  private static void actions(TextTable table, JsonObject known) {
    if (known.names().contains("protection")) {
      for (JsonObject action : known.list("protection")) {
        table.row(action.text("action"), protection(action));
      }
    } else {
      for (JsonObject done : known.list("done")) {
        table.row("scope's " + done.text("action"), done(done));
      }
    }
  }

  private static String protection(JsonObject action) {
    String mode = action.text("mode");
    if (mode.equals("off")) {
      return "off";
    }
    return mode.equals("observe")
        ? "observe: would have acted " + action.whole("would_have_acted") + " times on this key"
        : mode + ": acted " + action.whole("acted") + " times on this key";
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static void uses(TextTable table, JsonObject context) {
    table.row(
        "reads and writes",
        context.whole("reads") + " reads, " + context.whole("writes") + " writes");
    table.row(
        "reads of absent keys",
        context.whole("misses") + " (" + context.percent("miss_share") + ")");
    table.row("throttled writes", context.whole("throttled"));
    table.row("bytes moved", context.whole("bytes"));
    table.row("commands", parts(context.object("commands")));
    table.row("clients", "about " + context.whole("distinct_clients"));
    JsonObject clients = context.object("clients");
    clients.names().stream()
        .limit(CLIENTS)
        .forEach(name -> table.row("  " + name, "about " + clients.whole(name)));
  }

  private static String parts(JsonObject uses) {
    return uses.names().stream()
        .map(name -> name + " " + uses.whole(name))
        .collect(Collectors.joining(", "));
  }

  private static String done(JsonObject done) {
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
