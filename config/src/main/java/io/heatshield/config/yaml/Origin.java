package io.heatshield.config.yaml;

/**
 * The origin of a value.
 *
 * @param source the file as it was named, or the variable; empty for other kinds
 * @param line counted from 1; 0 for the whole source
 * @param column counted from 1; 0 if unknown
 */
public record Origin(Kind kind, String source, int line, int column) {
  /** The default. */
  public static final Origin DEFAULT = new Origin(Kind.DEFAULT, "", 0, 0);

  /** A default that was lowered so that the memory suffices. */
  public static final Origin FITTED = new Origin(Kind.FITTED, "", 0, 0);

  /** A change of a running server. */
  public static final Origin LIVE = new Origin(Kind.LIVE, "", 0, 0);

  /** The kind of an origin. */
  public enum Kind {
    DEFAULT,
    FITTED,
    FILE,
    ENVIRONMENT,
    OPTION,
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

  /** Returns another position of the same file; other kinds have no positions. */
  Origin at(int newLine, int newColumn) {
    return kind == Kind.FILE ? new Origin(kind, source, newLine, newColumn) : this;
  }

  /** Returns the origin for messages, for example {@code heatshield.yaml:12}. */
  @Override
  public String toString() {
    return switch (kind) {
      case DEFAULT -> "default";
      case FITTED -> "default, lowered to fit the memory";
      case FILE -> line == 0 ? source : source + ":" + line;
      case ENVIRONMENT -> "environment " + source;
      case OPTION -> source;
      case LIVE -> "live";
    };
  }
}
