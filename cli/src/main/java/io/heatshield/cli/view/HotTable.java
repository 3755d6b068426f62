package io.heatshield.cli.view;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Formats the hottest keys of all scopes as a table. */
public final class HotTable {
  /** The sort order of the rows. */
  public enum Sort {
    /** Requests per second. */
    RATE,
    /** Share of the scope's requests. */
    SHARE,
    /** The scope's name, then the rate. */
    SCOPE,
    /** The key's text. */
    KEY;

    /** Returns the next order, cyclically. */
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
  public record Row(String scope, JsonObject key) {}

  private HotTable() {}

  /** Returns the keys of an answer with a prefix, sorted. */
  public static List<Row> rows(JsonObject answer, Sort sort, String prefix, int most) {
    var rows = new ArrayList<Row>();
    for (JsonObject scope : answer.list("scopes")) {
      for (JsonObject key : scope.list("keys")) {
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

  /** Returns the table of keys in at most this width, header first. */
  public static List<String> lines(List<Row> rows, int width) {
    boolean fleet = rows.stream().anyMatch(row -> row.key().names().contains("shares"));
    String last = fleet ? "by node" : "hot for";
    var table =
        new TextTable(
            "key", "scope", "state", ">rate/s", ">share", ">estimate", ">error", ">" + last);
    for (Row row : rows) {
      JsonObject key = row.key();
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

  /** Returns a one-line summary of all scopes. */
  public static String summary(JsonObject answer) {
    List<JsonObject> scopes = answer.list("scopes");
    long hot = (long) scopes.stream().mapToDouble(scope -> scope.number("hot")).sum();
    String overloaded =
        scopes.stream().anyMatch(scope -> scope.is("overloaded"))
            ? "; the sketch is too small for this traffic: increase detect.width"
            : "";
    return scopes.isEmpty()
        ? "No requests counted yet."
        : (hot == 0 ? "Nothing is hot" : hot == 1 ? "1 key is hot" : hot + " keys are hot")
            + overloaded
            + ".";
  }
}
