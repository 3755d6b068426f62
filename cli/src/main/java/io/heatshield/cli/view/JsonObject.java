package io.heatshield.cli.view;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object of a server's response. Missing fields read as empty. */
public final class JsonObject {
  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  /** Wraps a JSON value; a value that is not an object has no fields. */
  public JsonObject(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, field) -> fields.put(String.valueOf(name), field));
    }
  }

  /** Returns a text, or an empty string. */
  public String text(String name) {
    Object value = fields.get(name);
    return value == null ? "" : String.valueOf(value);
  }

  /** Returns a number, or 0. */
  public double number(String name) {
    return fields.get(name) instanceof BigDecimal number ? number.doubleValue() : 0;
  }

  /** Returns a number rounded to an integer, with thousands separators. */
  public String whole(String name) {
    return String.format(Locale.ROOT, "%,.0f", number(name));
  }

  /** Returns a fraction as a percentage. */
  public String percent(String name) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * number(name));
  }

  /** Returns the objects of a list. */
  public List<JsonObject> list(String name) {
    return fields.get(name) instanceof List<?> list
        ? list.stream().map(item -> new JsonObject(item)).toList()
        : List.of();
  }

  /** Returns a nested object. */
  public JsonObject object(String name) {
    return new JsonObject(fields.get(name));
  }

  /** Returns the names of the fields. */
  public List<String> names() {
    return List.copyOf(fields.keySet());
  }

  /** Returns whether a field is true. */
  public boolean is(String name) {
    return Boolean.TRUE.equals(fields.get(name));
  }
}
