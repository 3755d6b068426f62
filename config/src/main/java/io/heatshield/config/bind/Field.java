package io.heatshield.config.bind;

import io.heatshield.config.settings.Setting;
import io.heatshield.config.yaml.Faults;
import io.heatshield.config.yaml.Node;
import io.heatshield.config.yaml.Origin;
import io.heatshield.config.yaml.YamlReader;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A setting of a section, from the record's component and its annotation.
 *
 * @param key the key in the file
 * @param type the type of the value, or of a list's items
 * @param initial the default; for a required setting, a placeholder while faults are collected
 */
public record Field(
    String key,
    Class<?> type,
    boolean list,
    boolean nullable,
    Setting setting,
    Node initial,
    Method accessor) {

  static Field of(RecordComponent component) {
    Setting setting = component.getAnnotation(Setting.class);
    if (setting == null) {
      throw new IllegalArgumentException("component must carry @Setting: " + component);
    }
    boolean list = component.getType() == List.class;
    Class<?> type = list ? itemType(component) : component.getType();
    boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    return new Field(
        snakeCase(component.getName()),
        type,
        list,
        nullable,
        setting,
        initial(setting),
        component.getAccessor());
  }

  /** Returns the same setting with another default. */
  Field withInitial(Node other) {
    return new Field(key, type, list, nullable, setting, other, accessor);
  }

  /** Returns whether the value, or a list's item, is a section of its own. */
  public boolean isSection() {
    return type.isRecord() && type.getRecordComponents()[0].isAnnotationPresent(Setting.class);
  }

  boolean isRequired() {
    return setting.value().equals(Setting.REQUIRED);
  }

  /** Returns what may be written, for messages. */
  String expected() {
    String one = isSection() ? "section" : Kind.of(type).expected();
    return list ? "list" : one;
  }

  /** Returns the default of a setting with a single value. */
  Object defaultValue() {
    return Kind.of(type).read(((Node.Scalar) initial).text());
  }

  /** Returns the section of the value or of a list's items. */
  public Section section() {
    return Section.of(type.asSubclass(Record.class)).in(this);
  }

  /** Returns the value in a record of the section. */
  @Nullable Object valueIn(Record section) {
    try {
      return accessor.invoke(section);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(accessor + " cannot be called", e);
    }
  }

  private static Class<?> itemType(RecordComponent component) {
    var generic = (ParameterizedType) component.getGenericType();
    return (Class<?>) generic.getActualTypeArguments()[0];
  }

  private static Node initial(Setting setting) {
    if (setting.value().equals(Setting.REQUIRED)) {
      return new Node.Scalar(Origin.DEFAULT, "unset", true);
    }
    var faults = new Faults();
    Node node = YamlReader.read(setting.value(), Origin.DEFAULT, faults);
    if (node == null || !faults.isEmpty()) {
      throw new IllegalArgumentException("default must be YAML: " + setting.value());
    }
    return node;
  }

  private static String snakeCase(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
