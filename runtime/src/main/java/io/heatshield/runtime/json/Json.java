package io.heatshield.runtime.json;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes plain values as JSON text.
 *
 * <p>Supports null, booleans, finite numbers, text, enums, instants and dates (in ISO 8601), {@link
 * Optional}, iterables, maps with text as keys, and records. Names of record components and enum
 * constants are written in {@code snake_case}. Anything else is rejected, in particular a byte
 * array, which must be converted by {@link io.heatshield.key.KeyText} first. Besides what JSON
 * requires, {@code <}, {@code >}, {@code &}, U+2028, U+2029, DEL and lone surrogates are escaped,
 * so that the text can be embedded in a page or a script.
 */
public final class Json {
  private static final int MAX_DEPTH = 64;

  private final StringBuilder out = new StringBuilder();

  private Json() {}

  /**
   * Returns the JSON text of a value.
   *
   * @throws IllegalArgumentException if it contains an unsupported type, or is nested deeper than
   *     64
   */
  public static String write(@Nullable Object value) {
    var json = new Json();
    json.value(value, 0);
    return json.out.toString();
  }

  private void value(@Nullable Object value, int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("value must not be nested deeper than " + MAX_DEPTH);
    }
    if (value == null || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof CharSequence text) {
      text(text);
    } else if (value instanceof Number number) {
      number(number);
    } else if (value instanceof Enum<?> constant) {
      text(constantName(constant));
    } else if (value instanceof Instant || value instanceof LocalDate) {
      text(value.toString());
    } else if (value instanceof Optional<?> optional) {
      value(optional.orElse(null), depth);
    } else if (value instanceof Map<?, ?> map) {
      map(map, depth);
    } else if (value instanceof Iterable<?> items) {
      list(items, depth);
    } else if (value instanceof Record fields) {
      fields(fields, depth);
    } else {
      throw new IllegalArgumentException(
          "value must be of a supported type: " + value.getClass().getName());
    }
  }

  private void number(Number number) {
    if (!Double.isFinite(number.doubleValue())
        && (number instanceof Double || number instanceof Float)) {
      throw new IllegalArgumentException("number must be finite: " + number);
    }
    out.append(number);
  }

  private void map(Map<?, ?> map, int depth) {
    char before = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof CharSequence name)) {
        throw new IllegalArgumentException("map key must be text: " + entry.getKey());
      }
      out.append(before);
      text(name);
      out.append(':');
      value(entry.getValue(), depth + 1);
      before = ',';
    }
    out.append(before == '{' ? "{}" : "}");
  }

  private void list(Iterable<?> items, int depth) {
    char before = '[';
    for (Object item : items) {
      out.append(before);
      value(item, depth + 1);
      before = ',';
    }
    out.append(before == '[' ? "[]" : "]");
  }

  private void fields(Record record, int depth) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      fields.put(snakeCase(component.getName()), read(component, record));
    }
    map(fields, depth);
  }

  private static @Nullable Object read(RecordComponent component, Record fields) {
    try {
      // The record need not be public.
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(fields);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("record must be readable: " + component, e);
    }
  }

  /** Returns the name of an enum constant in JSON. */
  public static String constantName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of a record component in JSON. */
  public static String snakeCase(String name) {
    var snake = new StringBuilder(name.length() + 4);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isUpperCase(c)) {
        snake.append('_');
      }
      snake.append(Character.toLowerCase(c));
    }
    return snake.toString();
  }

  private void text(CharSequence text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '<', '>', '&', 0x7f, 0x2028, 0x2029 -> escape(c);
        default -> {
          if (c < 0x20 || isLoneSurrogate(text, i)) {
            escape(c);
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean isLoneSurrogate(CharSequence text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }

  private void escape(char c) {
    out.append("\\u").append(HexFormat.of().toHexDigits(c));
  }
}
