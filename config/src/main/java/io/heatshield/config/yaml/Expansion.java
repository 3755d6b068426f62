package io.heatshield.config.yaml;

import io.heatshield.config.value.InvalidValueException;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Expands variables in text: <code>${NAME}</code> is the variable's value, <code>
 * ${NAME:-other}</code> is the other text if the variable is not set or empty, and <code>$${</code>
 * is <code>${</code> itself.
 *
 * <p>The result is not expanded again, so a variable cannot refer to another.
 *
 * @param variables the variables by name
 */
public record Expansion(Map<String, String> variables) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Returns the text with variables expanded. */
  public String expand(String text) {
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
          throw new InvalidValueException(
              "${ is not closed", "write $${ for the characters themselves");
        }
        expanded.append(text, from, open).append(value(text.substring(open + 2, close)));
        from = close + 1;
      }
      open = text.indexOf("${", from);
    }
    return expanded.append(text, from, text.length()).toString();
  }

  private String value(String inside) {
    int dash = inside.indexOf(":-");
    String name = dash < 0 ? inside : inside.substring(0, dash);
    if (!NAME.matcher(name).matches()) {
      throw new InvalidValueException(
          "${" + Faults.shownKey(inside) + "} does not name a variable",
          "write ${NAME} or ${NAME:-default}");
    }
    String value = variables.get(name);
    if (dash >= 0 && (value == null || value.isEmpty())) {
      return inside.substring(dash + 2);
    }
    if (value == null) {
      throw new InvalidValueException(
          "the variable " + Faults.shownKey(name) + " is not set",
          "set it, or give a default as in ${" + Faults.shownKey(name) + ":-default}");
    }
    return value;
  }
}
