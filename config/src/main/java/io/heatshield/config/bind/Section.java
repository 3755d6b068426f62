package io.heatshield.config.bind;

import io.heatshield.config.yaml.Node;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The description of a record of settings, by reflection. */
public record Section(Class<? extends Record> type, List<Field> fields) {
  private static final ClassValue<Section> SECTIONS =
      new ClassValue<>() {
        @Override
        protected Section computeValue(Class<?> type) {
          Class<? extends Record> section = type.asSubclass(Record.class);
          return new Section(
              section, Stream.of(section.getRecordComponents()).map(Field::of).toList());
        }
      };

  public static Section of(Class<? extends Record> type) {
    return SECTIONS.get(type);
  }

  /** Returns the section with the keys and the defaults of the field that contains it. */
  Section in(Field place) {
    List<String> only = List.of(place.setting().only());
    return new Section(
        type,
        fields.stream()
            .filter(field -> only.isEmpty() || only.contains(field.key()))
            .map(
                field ->
                    place.initial() instanceof Node.Mapping defaults
                            && defaults.get(field.key()) instanceof Node.Scalar other
                        ? field.withInitial(other)
                        : field)
            .toList());
  }

  /** Returns the setting with a key or an alias, or null. */
  public @Nullable Field field(String key) {
    for (Field field : fields) {
      if (field.key().equals(key) || List.of(field.setting().aliases()).contains(key)) {
        return field;
      }
    }
    return null;
  }

  /** Returns all keys and aliases. */
  List<String> keys() {
    var keys = new ArrayList<String>();
    for (Field field : fields) {
      keys.add(field.key());
      keys.addAll(List.of(field.setting().aliases()));
    }
    return keys;
  }

  /**
   * Returns the record with values in the order of the fields; a setting that this section does not
   * have gets its default.
   */
  Record create(List<@Nullable Object> values) {
    var all = new ArrayList<@Nullable Object>();
    List<String> own = fields.stream().map(Field::key).toList();
    for (Field field : of(type).fields) {
      int index = own.indexOf(field.key());
      all.add(index >= 0 ? values.get(index) : field.defaultValue());
    }
    try {
      Class<?>[] types =
          Stream.of(type.getRecordComponents()).map(RecordComponent::getType).toArray(Class[]::new);
      return type.getDeclaredConstructor(types).newInstance(all.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }
}
