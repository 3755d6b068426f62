package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the savings. */
public final class SavingsText {
  private static final int DAYS = 7;

  private SavingsText() {}

  /** Returns the total, each protection, the last days, and how each protection is counted. */
  public static List<String> lines(JsonObject answer, int width) {
    String currency = TextTable.shorten(answer.text("currency"));
    var lines = new ArrayList<String>();
    lines.add(
        answer.whole("saved")
            + " calls saved since "
            + TextTable.shorten(answer.text("since"))
            + money(answer, "money", currency)
            + "; "
            + answer.whole("would_have_saved")
            + " more would be saved in enforce mode"
            + money(answer, "would_be_money", currency));
    lines.add("");
    lines.addAll(actions(answer, currency, width));
    lines.add("");
    lines.addAll(days(answer, currency, width));
    lines.add("");
    answer.list("actions").stream()
        .map(action -> action.text("name") + ": " + action.text("counted"))
        .distinct()
        .map(TextTable::printable)
        .forEach(lines::add);
    return lines;
  }

  private static List<String> actions(JsonObject answer, String currency, int width) {
    var table =
        new TextTable(
            "name", "scope", "mode", ">applied", ">saved", ">money", ">would apply", ">would save");
    for (JsonObject action : answer.list("actions")) {
      table.row(
          action.text("name"),
          action.text("scope"),
          action.text("mode"),
          action.whole("applied"),
          action.whole("saved"),
          cell(action, currency),
          action.whole("would_have_applied"),
          action.whole("would_have_saved"));
    }
    return table.lines(width, "would apply", "money", "applied", "scope");
  }

  private static List<String> days(JsonObject answer, String currency, int width) {
    var table = new TextTable("day (UTC)", ">saved", ">money", ">would save");
    answer.list("days").stream()
        .limit(DAYS)
        .forEach(
            day ->
                table.row(
                    day.text("day"),
                    day.whole("saved"),
                    cell(day, currency),
                    day.whole("would_have_saved")));
    return table.lines(width, "money");
  }

  private static String cell(JsonObject facts, String currency) {
    return facts.text("money").isEmpty() ? "-" : amount(facts, "money", currency);
  }

  private static String money(JsonObject facts, String name, String currency) {
    return facts.text(name).isEmpty() ? "" : " (" + amount(facts, name, currency) + ")";
  }

  private static String amount(JsonObject facts, String name, String currency) {
    return String.format(Locale.ROOT, "%,.2f %s", facts.number(name), currency);
  }
}
