package io.heatshield.limit.yaml;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A piece of YAML, immutable, that knows its line. */
sealed interface Yaml {

  /** Returns the line where the piece begins, from 1. */
  int line();

  /** A single value; plain if it was written without quotes. */
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

    /** Returns whether YAML takes this for text, not for a number, a truth or nothing. */
    boolean isText() {
      return !isNull() && asBoolean() == null && !isWhole() && !isFraction();
    }

    boolean isWhole() {
      return plain && WHOLE.matcher(text).matches();
    }

    boolean isFraction() {
      return plain && FRACTION.matcher(text).matches();
    }

    /** Returns the truth that is written here, or null; YAML 1.1's words count, as in Go. */
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

  /** Values under keys, in the order they were written. */
  record Mapping(int line, Map<String, Entry> entries) implements Yaml {

    /** Returns the value of a key, or null if it has none. */
    @Nullable Yaml get(String key) {
      Entry entry = entries.get(key);
      Yaml value = entry == null ? null : entry.value();
      return value instanceof Scalar scalar && scalar.isNull() ? null : value;
    }

    /** Returns the line of a key, or that of the mapping if it is not there. */
    int line(String key) {
      Entry entry = entries.get(key);
      return entry == null ? line : entry.keyLine();
    }
  }

  /** A value, its key, and the key's line. */
  record Entry(int keyLine, Scalar key, Yaml value) {}

  /** Values in a row. */
  record Sequence(int line, List<Yaml> items) implements Yaml {}
}
