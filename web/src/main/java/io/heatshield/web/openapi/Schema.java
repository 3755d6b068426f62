package io.heatshield.web.openapi;

import io.heatshield.runtime.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON Schema of a parameter, a request body or a response body, for the API's description.
 *
 * <p>Immutable; methods return changed copies. Records and objects with a name are written once,
 * among the components of the document, by {@link NamedSchemas}.
 */
public final class Schema {
  static final String NAME = "title";

  private final Map<String, Object> fields;

  private Schema(Map<String, Object> fields) {
    this.fields = Collections.unmodifiableMap(fields);
  }

  /** Returns the schema of any value. */
  public static Schema any() {
    return new Schema(Map.of());
  }

  /** Returns the schema of any text. */
  public static Schema text() {
    return type("string");
  }

  /** Returns the schema of a moment, as {@link java.time.Instant} is written. */
  public static Schema instant() {
    return text().with("format", "date-time");
  }

  /** Returns the schema of one of several texts. */
  public static Schema oneOf(String... values) {
    return text().with("enum", List.of(values));
  }

  /** Returns the schema of one of an enum's constants, as {@link Json} writes them. */
  public static Schema oneOf(Class<?> type) {
    var names = new ArrayList<String>();
    for (Object constant : type.getEnumConstants()) {
      names.add(Json.constantName((Enum<?>) constant));
    }
    return oneOf(names.toArray(String[]::new));
  }

  /** Returns the schema of true and false. */
  public static Schema flag() {
    return type("boolean");
  }

  /** Returns the schema of a whole number of 64 bits. */
  public static Schema integer() {
    return type("integer").with("format", "int64");
  }

  /** Returns the schema of a whole number within bounds, both inclusive. */
  public static Schema integer(long min, long max) {
    boolean fitsInt = min >= Integer.MIN_VALUE && max <= Integer.MAX_VALUE;
    return type("integer")
        .with("format", fitsInt ? "int32" : "int64")
        .with("minimum", min)
        .with("maximum", max);
  }

  /** Returns the schema of a finite number. */
  public static Schema number() {
    return type("number").with("format", "double");
  }

  /** Returns the schema of a list. */
  public static Schema list(Schema item) {
    return type("array").with("items", item.fields);
  }

  /** Returns the schema of an object whose names are free and whose values are alike. */
  public static Schema mapOf(Schema value) {
    return type("object").with("additionalProperties", value.fields);
  }

  /** Returns the schema of an object without any fields yet. */
  public static Schema object() {
    return type("object");
  }

  /** Returns the schema of an object with a name, which stands among the components. */
  public static Schema object(String name) {
    return object().with(NAME, name);
  }

  /** Returns the schema of a record, as {@link Json} writes it. */
  public static Schema of(Class<? extends Record> type) {
    return new Schema(Map.of("$ref", type));
  }

  /** Returns a schema that one of several must match. */
  public static Schema anyOf(Schema... schemas) {
    return new Schema(Map.of("anyOf", Arrays.stream(schemas).map(Schema::fields).toList()));
  }

  private static Schema type(String name) {
    return new Schema(Map.of("type", name));
  }

  /** Returns this schema of an object with a field that is always there. */
  public Schema withField(String name, Schema value) {
    var required = new ArrayList<Object>((List<?>) fields.getOrDefault("required", List.of()));
    required.add(name);
    return withOptional(name, value).with("required", required);
  }

  /** Returns this schema of an object with a field that may be left out. */
  public Schema withOptional(String name, Schema value) {
    var properties = new LinkedHashMap<Object, Object>();
    properties.putAll((Map<?, ?>) fields.getOrDefault("properties", Map.of()));
    properties.put(name, value.fields);
    return with("properties", properties);
  }

  /** Returns this schema of an object, closed: a field that it does not name is refused. */
  public Schema closed() {
    return with("additionalProperties", false);
  }

  /** Returns this schema with null as one more value. */
  public Schema orNull() {
    Object type = fields.get("type");
    if (type == null || fields.containsKey(NAME)) {
      return anyOf(this, type("null"));
    }
    Schema nullable = with("type", List.of(type, "null"));
    if (fields.get("enum") instanceof List<?> values) {
      var more = new ArrayList<Object>(values);
      more.add(null);
      return nullable.with("enum", Collections.unmodifiableList(more));
    }
    return nullable;
  }

  /** Returns this schema with what the value means. */
  public Schema about(String meaning) {
    return with("description", meaning);
  }

  /** Returns this schema with the value that holds where none is given. */
  public Schema byDefault(Object value) {
    return with("default", value);
  }

  /** Returns this schema with a value as an example. */
  public Schema withExample(Object value) {
    return with("examples", List.of(value));
  }

  /** Returns this schema with any other keyword of JSON Schema. */
  public Schema with(String keyword, Object value) {
    var more = new LinkedHashMap<>(fields);
    more.put(keyword, value);
    return new Schema(more);
  }

  /** Returns the keywords; the class of a record stands where its reference belongs. */
  Map<String, Object> fields() {
    return fields;
  }
}
