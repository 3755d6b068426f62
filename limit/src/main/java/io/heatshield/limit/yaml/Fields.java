package io.heatshield.limit.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads typed values of one mapping; a value of another type is a fault. */
final class Fields {
  private static final long MAX_UINT32 = 0xffff_ffffL;

  private final Yaml.Mapping mapping;
  private final RuleFaults faults;

  Fields(Yaml.Mapping mapping, RuleFaults faults) {
    this.mapping = mapping;
    this.faults = faults;
  }

  /** Returns a text, empty if there is none; numbers and booleans as they were written. */
  String text(String key) {
    Yaml value = mapping.get(key);
    if (value instanceof Yaml.Scalar scalar) {
      return scalar.text();
    }
    if (value != null) {
      wrongType(value, "string");
    }
    return "";
  }

  boolean flag(String key) {
    Yaml value = mapping.get(key);
    Boolean flag = value instanceof Yaml.Scalar scalar ? scalar.asBoolean() : null;
    if (value != null && flag == null) {
      wrongType(value, "bool");
    }
    return flag != null && flag;
  }

  /** Returns an integer from 0 to 4294967295, 0 if there is none. */
  long number(String key) {
    Yaml value = mapping.get(key);
    if (value == null || (value instanceof Yaml.Scalar scalar && scalar.isFraction())) {
      return 0; // YamlKeys has reported the fraction.
    }
    if (value instanceof Yaml.Scalar scalar && scalar.isWhole()) {
      String digits = scalar.text().replace("_", "");
      // A leading zero means octal to some parsers and decimal to others.
      if (!digits.matches("[-+]?0[0-9].*")) {
        try {
          long number =
              digits.startsWith("0b")
                  ? Long.parseLong(digits.substring(2), 2)
                  : Long.decode(digits);
          if (number >= 0 && number <= MAX_UINT32) {
            return number;
          }
        } catch (NumberFormatException e) {
          // Too large for a long, so also for 32 bits.
        }
      }
    }
    wrongType(value, "uint32");
    return 0;
  }

  Yaml.@Nullable Mapping section(String key) {
    Yaml value = mapping.get(key);
    if (value != null && !(value instanceof Yaml.Mapping)) {
      wrongType(value, "map");
    }
    return value instanceof Yaml.Mapping section ? section : null;
  }

  /** Returns the mappings in a list; YamlKeys has reported other items. */
  List<Yaml.Mapping> list(String key) {
    Yaml value = mapping.get(key);
    var items = new ArrayList<Yaml.Mapping>();
    if (value instanceof Yaml.Sequence sequence) {
      for (Yaml item : sequence.items()) {
        if (item instanceof Yaml.Mapping section) {
          items.add(section);
        }
      }
    } else if (value != null) {
      wrongType(value, "list");
    }
    return items;
  }

  /** Returns values of any type, as in dynamic metadata. */
  Map<String, Object> values(String key) {
    Yaml.Mapping section = section(key);
    return section == null ? Map.of() : values(section);
  }

  private static Map<String, Object> values(Yaml.Mapping section) {
    var values = new LinkedHashMap<String, Object>();
    section
        .entries()
        .forEach(
            (name, entry) -> {
              Object value = value(entry.value());
              if (value != null) {
                values.put(name, value);
              }
            });
    return values;
  }

  private static @Nullable Object value(Yaml value) {
    if (value instanceof Yaml.Mapping section) {
      return values(section);
    }
    if (value instanceof Yaml.Sequence sequence) {
      var items = new ArrayList<Object>();
      for (Yaml item : sequence.items()) {
        Object inner = value(item);
        if (inner != null) {
          items.add(inner);
        }
      }
      return items;
    }
    var scalar = (Yaml.Scalar) value;
    if (scalar.isNull()) {
      return null;
    }
    Boolean flag = scalar.asBoolean();
    if (flag != null) {
      return flag;
    }
    return scalar.isText() ? scalar.text() : decimal(scalar.text());
  }

  private static Object decimal(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return text;
    }
  }

  private void wrongType(Yaml value, String type) {
    String shown =
        value instanceof Yaml.Scalar scalar
            ? RuleFaults.shown(scalar.text())
            : value instanceof Yaml.Sequence ? "[...]" : "{...}";
    faults.add(
        value.line(), "error loading config file: cannot unmarshal `" + shown + "` into " + type);
  }
}
