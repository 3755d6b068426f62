package io.heatshield.config.yaml;

import io.heatshield.config.value.Malformed;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts variables into text: <code>${NAME}</code> stands for the variable's value, <code>
 * ${NAME:-other}</code> for the other text if it is not set or empty, and <code>$${</code> for
 * <code>${</code> itself.
 *
 * <p>What was put in is not looked at again, so no variable can name another.
 */
public final class Expansion {
  /** Leaves all text as it is. */
  static final Expansion NONE = new Expansion(null);

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final @Nullable Map<String, String> variables;

  private Expansion(@Nullable Map<String, String> variables) {
    this.variables = variables;
  }

  public static Expansion from(Map<String, String> variables) {
    return new Expansion(variables);
  }

  /** Returns the text with variables put in. */
  public String expand(String text) {
    if (variables == null || !text.contains("${")) {
      return text;
    }
    var expanded = new StringBuilder();
    int from = 0;
    int open = text.indexOf("${");
    while (open >= 0) {
      if (open > from && text.charAt(open - 1) == '$') {
        expanded.append(text, from, open - 1).append("${");
        from = open + 2;
      } else {
        int close = text.indexOf('}', open);
        if (close < 0) {
          throw new Malformed("${ is not closed", "write $${ for the characters themselves");
        }
        expanded.append(text, from, open).append(value(text.substring(open + 2, close), variables));
        from = close + 1;
      }
      open = text.indexOf("${", from);
    }
    return expanded.append(text, from, text.length()).toString();
  }

  private static String value(String inside, Map<String, String> variables) {
    int dash = inside.indexOf(":-");
    String name = dash < 0 ? inside : inside.substring(0, dash);
    if (!NAME.matcher(name).matches()) {
      throw new Malformed(
          "${" + Faults.shownKey(inside) + "} does not name a variable",
          "write ${NAME} or ${NAME:-default}");
    }
    String value = variables.get(name);
    if (dash >= 0 && (value == null || value.isEmpty())) {
      return inside.substring(dash + 2);
    }
    if (value == null) {
      throw new Malformed(
          "the variable " + Faults.shownKey(name) + " is not set",
          "set it, or give a default as in ${" + Faults.shownKey(name) + ":-default}");
    }
    return value;
  }
}
