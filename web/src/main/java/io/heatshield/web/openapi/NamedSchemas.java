package io.heatshield.web.openapi;

import io.heatshield.runtime.json.Json;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The schemas that a document refers to by name: records, and objects with a name.
 *
 * <p>The schema of a record component is derived from its type, as {@link Json} writes it. Every
 * component is required; {@code @Nullable} and {@link Optional} ones may be null. The name of a
 * nested record consists of both class names, without the suffixes {@code Api}, {@code Views} and
 * {@code View}.
 */
public final class NamedSchemas {
  private static final String PREFIX = "#/components/schemas/";

  private final Map<String, Object> schemas = new LinkedHashMap<>();
  private final Map<String, Object> sources = new LinkedHashMap<>();

  /** Returns all referenced schemas by name. */
  Map<String, Object> all() {
    return schemas;
  }

  /** Returns the keywords of a schema, with references in place of record classes. */
  public Map<String, Object> resolve(Schema schema) {
    return resolve(schema.fields());
  }

  private Map<String, Object> resolve(Map<?, ?> fields) {
    if (fields.get(Schema.NAME) instanceof String name && fields.containsKey("type")) {
      return Map.of("$ref", reference(name, fields, () -> values(fields)));
    }
    return values(fields);
  }

  private Map<String, Object> values(Map<?, ?> fields) {
    var resolved = new LinkedHashMap<String, Object>();
    fields.forEach((name, value) -> resolved.put(String.valueOf(name), resolveValue(value)));
    return resolved;
  }

  private @Nullable Object resolveValue(@Nullable Object value) {
    if (value instanceof Class<?> type) {
      return reference(type);
    }
    if (value instanceof Map<?, ?> fields) {
      return resolve(fields);
    }
    if (value instanceof List<?> items) {
      var resolved = new ArrayList<@Nullable Object>();
      items.forEach(item -> resolved.add(resolveValue(item)));
      return resolved;
    }
    return value;
  }

  private String reference(Class<?> type) {
    return reference(name(type), type, () -> resolve(object(type)));
  }

  private String reference(String name, Object source, Supplier<Map<String, Object>> schema) {
    Object other = sources.putIfAbsent(name, source);
    if (other == null) {
      // Reserves the position: components appear in the order of their first reference.
      schemas.put(name, Map.of());
      schemas.put(name, schema.get());
    } else if (!other.equals(source)) {
      throw new IllegalStateException(
          "schema must have a unique name: " + name + " of " + source + " and " + other);
    }
    return PREFIX + name;
  }

  static String name(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    String own = type.getSimpleName().replaceFirst("View$", "");
    return outer == null ? own : outer.getSimpleName().replaceFirst("(Api|Views?)$", "") + own;
  }

  private static Schema object(Class<?> type) {
    Schema object = Schema.object();
    for (RecordComponent component : type.getRecordComponents()) {
      object =
          object.withField(Json.snakeCase(component.getName()), of(component.getAnnotatedType()));
    }
    return object;
  }

  private static Schema of(AnnotatedType type) {
    Schema schema =
        type instanceof AnnotatedParameterizedType generic
            ? container(generic)
            : single(type.getType());
    return type.isAnnotationPresent(Nullable.class) ? schema.orNull() : schema;
  }

  private static Schema container(AnnotatedParameterizedType type) {
    AnnotatedType[] parts = type.getAnnotatedActualTypeArguments();
    Class<?> raw = (Class<?>) ((ParameterizedType) type.getType()).getRawType();
    if (Map.class.isAssignableFrom(raw)) {
      return Schema.mapOf(of(parts[1]));
    }
    if (Iterable.class.isAssignableFrom(raw)) {
      return Schema.list(of(parts[0]));
    }
    if (raw == Optional.class) {
      return of(parts[0]).orNull();
    }
    throw new IllegalArgumentException("type must be one that Json writes: " + type);
  }

  private static Schema single(Type type) {
    if (!(type instanceof Class<?> plain)) {
      throw new IllegalArgumentException("type must be one that Json writes: " + type);
    }
    if (plain == Object.class) {
      return Schema.any();
    }
    if (plain.isRecord()) {
      return Schema.of(plain.asSubclass(Record.class));
    }
    if (plain.isEnum()) {
      return Schema.oneOf(plain);
    }
    if (CharSequence.class.isAssignableFrom(plain)) {
      return Schema.text();
    }
    if (plain == boolean.class || plain == Boolean.class) {
      return Schema.flag();
    }
    if (plain == int.class || plain == Integer.class) {
      return Schema.integer().with("format", "int32");
    }
    if (plain == long.class || plain == Long.class) {
      return Schema.integer();
    }
    if (plain == double.class || plain == Double.class) {
      return Schema.number();
    }
    if (plain == Instant.class) {
      return Schema.instant();
    }
    if (plain == LocalDate.class) {
      return Schema.text().with("format", "date");
    }
    throw new IllegalArgumentException("type must be one that Json writes: " + type);
  }
}
