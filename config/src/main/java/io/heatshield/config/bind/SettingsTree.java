package io.heatshield.config.bind;

import io.heatshield.config.yaml.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts settings to nested maps and lists, secrets masked. */
public final class SettingsTree {
  private SettingsTree() {}

  public static Map<String, @Nullable Object> of(Record settings) {
    return of(Section.of(settings.getClass()), settings);
  }

  private static Map<String, @Nullable Object> of(Section section, Record settings) {
    var tree = new LinkedHashMap<String, @Nullable Object>();
    for (Field field : section.fields()) {
      Object value = field.valueIn(settings);
      tree.put(field.key(), value(field, value));
    }
    return tree;
  }

  private static @Nullable Object value(Field field, @Nullable Object value) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    if (value instanceof List<?> list) {
      var items = new ArrayList<@Nullable Object>();
      list.forEach(item -> items.add(value(field, item)));
      return items;
    }
    if (field.isSection() && value instanceof Record section) {
      return of(field.section(), section);
    }
    return new Leaf("", field, value, Origin.DEFAULT).shown();
  }
}
