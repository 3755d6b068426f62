package io.heatshield.web.api;

import io.heatshield.key.KeyText;
import io.heatshield.limit.InvalidRequestException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, with the rules of protobuf: a field has a {@code camelCase} and a
 * {@code snake_case} name, null means absent, and numbers may be text.
 *
 * <p>Every error is an {@link InvalidRequestException} with the path of the field. Reading a field
 * removes it.
 */
final class JsonFields {
  private final String path;
  private final Map<String, @Nullable Object> fields;

  private JsonFields(String path, Map<String, @Nullable Object> fields) {
    this.path = path;
    this.fields = fields;
  }

  /** Returns the fields of a value that must be an object. */
  static JsonFields of(String path, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> object)) {
      throw new InvalidRequestException(path.isEmpty() ? "body" : path, "must be an object");
    }
    var fields = new LinkedHashMap<String, @Nullable Object>();
    object.forEach((name, field) -> fields.put(String.valueOf(name), field));
    return new JsonFields(path, fields);
  }

  /** Reads a text, which is empty if absent. */
  String text(String name) {
    Object value = take(name);
    if (value == null) {
      return "";
    }
    if (value instanceof String text) {
      return text;
    }
    throw fault(name, "must be text");
  }

  /** Reads an integer from 0 to a maximum, if present. */
  OptionalLong number(String name, long most) {
    Object value = take(name);
    if (value == null) {
      return OptionalLong.empty();
    }
    BigDecimal number =
        value instanceof BigDecimal decimal
            ? decimal
            : value instanceof String text && text.matches("[0-9]{1,19}")
                ? new BigDecimal(text)
                : null;
    // Compares before expanding: 1e999999999 has a billion digits.
    if (number == null
        || number.signum() < 0
        || number.compareTo(BigDecimal.valueOf(most)) > 0
        || number.stripTrailingZeros().scale() > 0) {
      throw fault(name, "must be a whole number from 0 to " + most);
    }
    return OptionalLong.of(number.longValueExact());
  }

  /** Reads an enumeration by name or by number; the first value if absent. */
  String choice(String name, List<String> choices) {
    Object value = take(name);
    if (value == null) {
      return choices.get(0);
    }
    if (value instanceof String text && choices.contains(text)) {
      return text;
    }
    if (value instanceof BigDecimal number
        && number.signum() >= 0
        && number.compareTo(BigDecimal.valueOf(choices.size())) < 0
        && number.stripTrailingZeros().scale() <= 0) {
      return choices.get(number.intValueExact());
    }
    throw fault(name, "must be one of " + String.join(", ", choices));
  }

  /** Reads an object, or null if absent. */
  @Nullable JsonFields object(String name) {
    Object value = take(name);
    return value == null ? null : of(at(name), value);
  }

  /** Reads a list of objects, which is empty if absent. */
  List<JsonFields> list(String name, int most) {
    Object value = take(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> items)) {
      throw fault(name, "must be a list");
    }
    if (items.size() > most) {
      throw fault(name, "must have at most " + most + " items: " + items.size());
    }
    var objects = new ArrayList<JsonFields>(items.size());
    for (int i = 0; i < items.size(); i++) {
      objects.add(of(at(name) + "[" + i + "]", items.get(i)));
    }
    return objects;
  }

  /** Refuses fields that were not read. */
  void requireNoOthers() {
    for (String name : fields.keySet()) {
      throw new InvalidRequestException(
          path.isEmpty() ? "body" : path, "has an unknown field: " + KeyText.of(name));
    }
  }

  /** Returns the exception for a field. */
  InvalidRequestException fault(String name, String sentence) {
    return new InvalidRequestException(at(name), sentence);
  }

  private @Nullable Object take(String name) {
    String snake = snake(name);
    if (!snake.equals(name) && fields.containsKey(snake)) {
      if (fields.containsKey(name)) {
        throw fault(name, "must not be given twice");
      }
      return fields.remove(snake);
    }
    return fields.remove(name);
  }

  private String at(String name) {
    return path.isEmpty() ? snake(name) : path + "." + snake(name);
  }

  private static String snake(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
