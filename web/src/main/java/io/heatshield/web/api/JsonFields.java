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
 * The fields of one JSON object, read as protobuf reads them: each by its {@code camelCase} or its
 * {@code snake_case} name, null as if it were not there, numbers also as text.
 *
 * <p>Every fault is an {@link InvalidRequestException} that names the field by its path.
 */
final class JsonFields {
  private final String path;
  private final Map<String, @Nullable Object> fields;

  private JsonFields(String path, Map<String, @Nullable Object> fields) {
    this.path = path;
    this.fields = fields;
  }

  /** Returns the fields of a value, which must be an object. */
  static JsonFields of(String path, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> object)) {
      throw new InvalidRequestException(path.isEmpty() ? "body" : path, "must be an object");
    }
    var fields = new LinkedHashMap<String, @Nullable Object>();
    object.forEach((name, field) -> fields.put(String.valueOf(name), field));
    return new JsonFields(path, fields);
  }

  /** Takes a text, which is empty if it was not given. */
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

  /** Takes a whole number from 0 to a greatest one, if it was given. */
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
    // Compared before anything is expanded: 1e999999999 has a billion digits.
    if (number == null
        || number.signum() < 0
        || number.compareTo(BigDecimal.valueOf(most)) > 0
        || number.stripTrailingZeros().scale() > 0) {
      throw fault(name, "must be a whole number from 0 to " + most);
    }
    return OptionalLong.of(number.longValueExact());
  }

  /** Takes one of several names, which may be given by its number; the first if it is absent. */
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

  /** Takes an object, or null if it was not given. */
  @Nullable JsonFields object(String name) {
    Object value = take(name);
    return value == null ? null : of(at(name), value);
  }

  /** Takes a list of objects, which is empty if it was not given. */
  List<JsonFields> list(String name, int most) {
    Object value = take(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> items)) {
      throw fault(name, "must be a list");
    }
    if (items.size() > most) {
      throw fault(name, "must be at most " + most + ", but are " + items.size());
    }
    var objects = new ArrayList<JsonFields>(items.size());
    for (int i = 0; i < items.size(); i++) {
      objects.add(of(at(name) + "[" + i + "]", items.get(i)));
    }
    return objects;
  }

  /** Refuses fields that nobody took. */
  void requireNoOthers() {
    for (String name : fields.keySet()) {
      throw new InvalidRequestException(
          path.isEmpty() ? "body" : path, "has a field that is not known: " + KeyText.of(name));
    }
  }

  /** Returns the refusal of a field. */
  InvalidRequestException fault(String name, String sentence) {
    return new InvalidRequestException(at(name), sentence);
  }

  private @Nullable Object take(String name) {
    String snake = snake(name);
    if (!snake.equals(name) && fields.containsKey(snake)) {
      if (fields.containsKey(name)) {
        throw fault(name, "must not be given by two names");
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
