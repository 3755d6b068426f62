package io.heatshield.limit.yaml;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A YAML value with its line. Immutable. */
sealed interface Yaml {

  /** Returns the line where the value begins, from 1. */
  int line();

  /** A single value; plain if it is not quoted. */
  record Scalar(int line, String text, boolean plain) implements Yaml {
    private static final Pattern WHOLE =
        Pattern.compile("[-+]?(0x[0-9a-fA-F_]+|0b[01_]+|[0-9][0-9_]*)");
    private static final Pattern FRACTION =
        Pattern.compile(
            "[-+]?(\\.[0-9]+|[0-9]+\\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?"
                + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

    boolean isNull() {
      return plain
          && switch (text) {
            case "", "~", "null", "Null", "NULL" -> true;
            default -> false;
          };
    }

    /** Returns whether this is text, and not a number, a boolean or null. */
    boolean isText() {
      return !isNull() && asBoolean() == null && !isWhole() && !isFraction();
    }

    boolean isWhole() {
      return plain && WHOLE.matcher(text).matches();
    }

    boolean isFraction() {
      return plain && FRACTION.matcher(text).matches();
    }

    /**
     * Returns the boolean, or null if the text is not one; as in Go, with the words of YAML 1.1.
     */
    @Nullable Boolean asBoolean() {
      return !plain
          ? null
          : switch (text) {
            case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y" -> true;
            case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N" ->
                false;
            default -> null;
          };
    }
  }

  /** Values by key, in the order of the text. */
  record Mapping(int line, Map<String, Entry> entries) implements Yaml {

    /** Returns the value of a key, or null if it has none. */
    public @Nullable Yaml get(String key) {
      Entry entry = entries.get(key);
      Yaml value = entry == null ? null : entry.value();
      return value instanceof Scalar scalar && scalar.isNull() ? null : value;
    }

    /** Returns the line of a key, or that of the mapping if it has no such key. */
    int line(String key) {
      Entry entry = entries.get(key);
      return entry == null ? line : entry.keyLine();
    }
  }

  /** A key, its line and its value. */
  record Entry(int keyLine, Scalar key, Yaml value) {}

  /** A list of values. */
  record Sequence(int line, List<Yaml> items) implements Yaml {}
}
