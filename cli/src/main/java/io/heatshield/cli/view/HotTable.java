package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The hottest keys of all scopes as a table. */
public final class HotTable {
  /** What rows are ordered by. */
  public enum Sort {
    /** Requests per second. */
    RATE,
    /** Part of the scope's requests. */
    SHARE,
    /** The scope's name, then the rate. */
    SCOPE,
    /** The key's text. */
    KEY;

    /** Returns the order that follows this one, the first after the last. */
    public Sort next() {
      return switch (this) {
        case RATE -> SHARE;
        case SHARE -> SCOPE;
        case SCOPE -> KEY;
        case KEY -> RATE;
      };
    }
  }

  /** A key with its scope. */
  public record Row(String scope, Facts key) {}

  private HotTable() {}

  /** Returns the keys of an answer that begin with a prefix, in order. */
  public static List<Row> rows(Facts answer, Sort sort, String prefix, int most) {
    var rows = new ArrayList<Row>();
    for (Facts scope : answer.list("scopes")) {
      for (Facts key : scope.list("keys")) {
        if (key.text("key").startsWith(prefix)) {
          rows.add(new Row(scope.text("scope"), key));
        }
      }
    }
    Comparator<Row> byRate =
        Comparator.comparingDouble((Row row) -> row.key().number("rate")).reversed();
    rows.sort(
        switch (sort) {
          case RATE -> byRate;
          case SHARE ->
              Comparator.comparingDouble((Row row) -> row.key().number("share")).reversed();
          case SCOPE -> Comparator.comparing(Row::scope).thenComparing(byRate);
          case KEY -> Comparator.comparing((Row row) -> row.key().text("key"));
        });
    return List.copyOf(rows.subList(0, Math.min(most, rows.size())));
  }

  /** Returns the lines of a table of keys that is at most this wide, the titles first. */
  public static List<String> lines(List<Row> rows, int width) {
    boolean fleet = rows.stream().anyMatch(row -> row.key().names().contains("shares"));
    String last = fleet ? "by node" : "hot for";
    var table =
        new TextTable(
            "key", "scope", "state", ">rate/s", ">share", ">estimate", ">error", ">" + last);
    for (Row row : rows) {
      Facts key = row.key();
      table.row(
          key.text("key"),
          row.scope(),
          key.text("state"),
          key.whole("rate"),
          key.percent("share"),
          key.whole("estimate"),
          key.whole("error"),
          fleet ? FleetLines.shares(key) : Age.since(key.text("since")));
    }
    return table.lines(width, "error", "estimate", last, "scope", "share", "state");
  }

  /** Returns a sentence about all scopes. */
  public static String summary(Facts answer) {
    List<Facts> scopes = answer.list("scopes");
    long hot = (long) scopes.stream().mapToDouble(scope -> scope.number("hot")).sum();
    String overloaded =
        scopes.stream().anyMatch(scope -> scope.is("overloaded"))
            ? "; more traffic than the sketch is made for: widen detect.width"
            : "";
    return scopes.isEmpty()
        ? "No scope is open yet: nothing is counted."
        : (hot == 0 ? "Nothing is hot" : hot == 1 ? "1 key is hot" : hot + " keys are hot")
            + overloaded
            + ".";
  }
}
