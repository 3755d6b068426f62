package io.heatshield.config.yaml;

import io.heatshield.config.bind.Kind;

/**
 * Where a value came from.
 *
 * @param source the file as it was named, or the variable; empty for other kinds
 * @param line counted from 1; 0 if the place is the whole source
 * @param column counted from 1; 0 if unknown
 */
public record Origin(Kind kind, String source, int line, int column) {
  /** The value built in. */
  public static final Origin DEFAULT = new Origin(Kind.DEFAULT, "", 0, 0);

  /** A change made while the server runs. */
  public static final Origin LIVE = new Origin(Kind.LIVE, "", 0, 0);

  /** What kind of place a value came from. */
  public enum Kind {
    /** Built in. */
    DEFAULT,
    /** A line of a file. */
    FILE,
    /** A variable of the environment. */
    ENVIRONMENT,
    /** An option of the command. */
    OPTION,
    /** A change made while the server runs. */
    LIVE
  }

  public static Origin file(String file, int line, int column) {
    return new Origin(Kind.FILE, file, line, column);
  }

  public static Origin environment(String variable) {
    return new Origin(Kind.ENVIRONMENT, variable, 0, 0);
  }

  public static Origin option(String option) {
    return new Origin(Kind.OPTION, option, 0, 0);
  }

  /** Returns a place in the same file; other kinds have no lines. */
  Origin at(int newLine, int newColumn) {
    return kind == Kind.FILE ? new Origin(kind, source, newLine, newColumn) : this;
  }

  /** Returns the place as people read it, for example {@code heatshield.yaml:12}. */
  @Override
  public String toString() {
    return switch (kind) {
      case DEFAULT -> "default";
      case FILE -> line == 0 ? source : source + ":" + line;
      case ENVIRONMENT -> "environment " + source;
      case OPTION -> source;
      case LIVE -> "live";
    };
  }
}
