package io.heatshield.web.openapi;

import io.heatshield.runtime.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The immutable JSON Schema of a parameter, a request body or a response body.
 *
 * <p>Records and objects with a name are written once, as components of the document, by {@link
 * NamedSchemas}.
 */
public final class Schema {
  /** The latest time that the API accepts, in Unix milliseconds. */
  public static final long MAX_UNIX_MILLIS = 999_999_999_999_999L;

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

  /** Returns the schema of an ISO-8601 timestamp. */
  public static Schema instant() {
    return text().with("format", "date-time");
  }

  /** Returns the schema of an enumeration of texts. */
  public static Schema oneOf(String... values) {
    return text().with("enum", List.of(values));
  }

  /** Returns the schema of an enum, whose constants are named as in {@link Json}. */
  public static Schema oneOf(Class<?> type) {
    var names = new ArrayList<String>();
    for (Object constant : type.getEnumConstants()) {
      names.add(Json.constantName((Enum<?>) constant));
    }
    return oneOf(names.toArray(String[]::new));
  }

  /** Returns the schema of a boolean. */
  public static Schema flag() {
    return type("boolean");
  }

  /** Returns the schema of a 64-bit integer. */
  public static Schema integer() {
    return type("integer").with("format", "int64");
  }

  /** Returns the schema of an integer within inclusive bounds. */
  public static Schema integer(long min, long max) {
    boolean fitsInt = min >= Integer.MIN_VALUE && max <= Integer.MAX_VALUE;
    return type("integer")
        .with("format", fitsInt ? "int32" : "int64")
        .with("minimum", min)
        .with("maximum", max);
  }

  /** Returns the schema of a time in Unix milliseconds. */
  public static Schema unixMillis() {
    return integer(0, MAX_UNIX_MILLIS);
  }

  /** Returns the schema of a finite number. */
  public static Schema number() {
    return type("number").with("format", "double");
  }

  /** Returns the schema of a list. */
  public static Schema list(Schema item) {
    return type("array").with("items", item.fields);
  }

  /** Returns the schema of an object with arbitrary names and values of one schema. */
  public static Schema mapOf(Schema value) {
    return type("object").with("additionalProperties", value.fields);
  }

  /** Returns the schema of an object without fields. */
  public static Schema object() {
    return type("object");
  }

  /** Returns the schema of a named object, which becomes a component. */
  public static Schema object(String name) {
    return object().with(NAME, name);
  }

  /** Returns the schema of a record, as {@link Json} writes it. */
  public static Schema of(Class<? extends Record> type) {
    return new Schema(Map.of("$ref", type));
  }

  /** Returns the schema of a value that matches one of several schemas. */
  public static Schema anyOf(Schema... schemas) {
    return new Schema(Map.of("anyOf", Arrays.stream(schemas).map(Schema::fields).toList()));
  }

  private static Schema type(String name) {
    return new Schema(Map.of("type", name));
  }

  /** Returns this object schema with a required field. */
  public Schema withField(String name, Schema value) {
    var required = new ArrayList<Object>((List<?>) fields.getOrDefault("required", List.of()));
    required.add(name);
    return withOptional(name, value).with("required", required);
  }

  /** Returns this object schema with required fields of one schema. */
  public Schema withFields(Schema value, String... names) {
    Schema schema = this;
    for (String name : names) {
      schema = schema.withField(name, value);
    }
    return schema;
  }

  /** Returns this object schema with an optional field. */
  public Schema withOptional(String name, Schema value) {
    var properties = new LinkedHashMap<Object, Object>();
    properties.putAll((Map<?, ?>) fields.getOrDefault("properties", Map.of()));
    properties.put(name, value.fields);
    return with("properties", properties);
  }

  /** Returns this object schema without additional fields. */
  public Schema closed() {
    return with("additionalProperties", false);
  }

  /** Returns this schema, also allowing null. */
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

  /** Returns this schema with a description. */
  public Schema about(String meaning) {
    return with("description", meaning);
  }

  /** Returns this schema with a default value. */
  public Schema byDefault(Object value) {
    return with("default", value);
  }

  /** Returns this schema with an example. */
  public Schema withExample(Object value) {
    return with("examples", List.of(value));
  }

  /** Returns this schema with another JSON Schema keyword. */
  public Schema with(String keyword, Object value) {
    var more = new LinkedHashMap<>(fields);
    more.put(keyword, value);
    return new Schema(more);
  }

  /** Returns the keywords, with record classes in place of their references. */
  Map<String, Object> fields() {
    return fields;
  }
}
