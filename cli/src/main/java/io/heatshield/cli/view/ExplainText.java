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
    if (isUnseen(known)) {
      return unseen(known);
    }
    var lines = new ArrayList<String>(advice(known.object("recommendation")));
    if (!lines.isEmpty()) {
      lines.add("");
    }
    lines.addAll(table(known));
    return lines;
  }

  /** Returns whether the detector does not keep the key, and knows no more of it than a bound. */
  private static boolean isUnseen(Facts known) {
    return known.text("first_seen").isEmpty()
        && known.text("last_seen").isEmpty()
        && known.text("since").isEmpty()
        && known.number("guaranteed") == 0
        && known.object("context").names().isEmpty();
  }

  private static List<String> unseen(Facts known) {
    String name =
        TextTable.shown(known.text("key")) + " in " + TextTable.shown(known.text("scope")) + ": ";
    return known.number("estimate") == 0
        ? List.of(name + "not seen in this window.")
        : List.of(
            name
                + "not seen; at most "
                + known.whole("estimate")
                + " requests in this window, "
                + known.whole("rate")
                + "/s.",
            "Only the busiest keys are kept by name. The number is the sketch's estimate, which is"
                + " never below the true count.");
  }

  private static List<String> advice(Facts advice) {
    if (advice.names().isEmpty()) {
      return List.of();
    }
    var lines = new ArrayList<String>();
    lines.add(TextTable.visible(advice.text("says")));
    lines.add(TextTable.visible(advice.text("advice")));
    String line = TextTable.visible(advice.text("line"));
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

  private static List<String> table(Facts known) {
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
    table.row("counted for certain", known.whole("guaranteed"));
    table.row("hot since", orDash(known.text("since")));
    table.row("first seen", orDash(known.text("first_seen")));
    table.row("last seen", orDash(known.text("last_seen")));
    Facts context = known.object("context");
    if (context.names().isEmpty()) {
      table.row("commands and clients", "no detail kept");
    } else {
      uses(table, context);
    }
    actions(table, known);
    table.row("key hash", known.text("key_hash"));
    List<String> lines = table.lines();
    return lines.subList(1, lines.size());
  }

  /** Adds what was done to the key, or, by a server that does not say that, in its scope. */
  private static void actions(TextTable table, Facts known) {
    if (known.names().contains("protection")) {
      for (Facts action : known.list("protection")) {
        table.row(action.text("action"), protection(action));
      }
    } else {
      for (Facts done : known.list("done")) {
        table.row("scope's " + done.text("action"), done(done));
      }
    }
  }

  private static String protection(Facts action) {
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

  private static void uses(TextTable table, Facts context) {
    table.row(
        "reads and writes",
        context.whole("reads") + " reads, " + context.whole("writes") + " writes");
    table.row(
        "reads of nothing", context.whole("misses") + " (" + context.percent("miss_share") + ")");
    table.row("throttled writes", context.whole("throttled"));
    table.row("bytes moved", context.whole("bytes"));
    table.row("commands", parts(context.object("commands")));
    table.row("clients", "about " + context.whole("distinct_clients"));
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
