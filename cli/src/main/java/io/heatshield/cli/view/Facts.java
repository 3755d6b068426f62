package io.heatshield.cli.view;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object of a server's answer, read leniently: what is not there is empty. */
public final class Facts {
  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  /** Takes a value that JSON held; one that is no object has no facts. */
  public Facts(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, field) -> fields.put(String.valueOf(name), field));
    }
  }

  /** Returns a text, or an empty one. */
  public String text(String name) {
    Object value = fields.get(name);
    return value == null ? "" : String.valueOf(value);
  }

  /** Returns a number, or 0. */
  public double number(String name) {
    return fields.get(name) instanceof BigDecimal number ? number.doubleValue() : 0;
  }

  /** Returns a number without its fraction, with commas between thousands. */
  public String whole(String name) {
    return String.format(Locale.ROOT, "%,.0f", number(name));
  }

  /** Returns a share of 1 as a percentage. */
  public String percent(String name) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * number(name));
  }

  /** Returns the objects of a list. */
  public List<Facts> list(String name) {
    return fields.get(name) instanceof List<?> list
        ? list.stream().map(item -> new Facts(item)).toList()
        : List.of();
  }

  /** Returns another object. */
  public Facts object(String name) {
    return new Facts(fields.get(name));
  }

  /** Returns the names that are there. */
  public List<String> names() {
    return List.copyOf(fields.keySet());
  }

  /** Returns whether the field is there and true. */
  public boolean is(String name) {
    return Boolean.TRUE.equals(fields.get(name));
  }
}
