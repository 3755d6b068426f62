package io.heatshield.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A record of settings, as reflection sees it: the one description that everything reads. */
record Section(Class<? extends Record> type, List<Field> fields) {
  private static final ClassValue<Section> SECTIONS =
      new ClassValue<>() {
        @Override
        protected Section computeValue(Class<?> type) {
          Class<? extends Record> section = type.asSubclass(Record.class);
          return new Section(
              section, Stream.of(section.getRecordComponents()).map(Field::of).toList());
        }
      };

  static Section of(Class<? extends Record> type) {
    return SECTIONS.get(type);
  }

  /** Returns the section with the keys and the defaults that a place has. */
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

  /** Returns the setting that a key names, by its own name or another, or null. */
  @Nullable Field field(String key) {
    for (Field field : fields) {
      if (field.key().equals(key) || List.of(field.setting().aliases()).contains(key)) {
        return field;
      }
    }
    return null;
  }

  /** Returns every key that the section accepts. */
  List<String> keys() {
    var keys = new ArrayList<String>();
    for (Field field : fields) {
      keys.add(field.key());
      keys.addAll(List.of(field.setting().aliases()));
    }
    return keys;
  }

  /**
   * Returns the record of these values, which stand in the order of the fields; a setting that this
   * place does not have gets its default.
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
