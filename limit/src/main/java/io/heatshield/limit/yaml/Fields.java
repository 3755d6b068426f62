package io.heatshield.limit.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the values of one mapping as the kinds they should be; what is not adds a fault. */
final class Fields {
  private static final long MAX_UINT32 = 0xffff_ffffL;

  private final Yaml.Mapping mapping;
  private final String file;
  private final RuleFaults faults;

  Fields(Yaml.Mapping mapping, String file, RuleFaults faults) {
    this.mapping = mapping;
    this.file = file;
    this.faults = faults;
  }

  /** Returns a text, empty if there is none; numbers and truths count as they were written. */
  String text(String key) {
    Yaml value = mapping.get(key);
    if (value instanceof Yaml.Scalar scalar) {
      return scalar.text();
    }
    if (value != null) {
      misfit(value, "string");
    }
    return "";
  }

  boolean truth(String key) {
    Yaml value = mapping.get(key);
    Boolean truth = value instanceof Yaml.Scalar scalar ? scalar.asBoolean() : null;
    if (value != null && truth == null) {
      misfit(value, "bool");
    }
    return truth != null && truth;
  }

  /** Returns a whole number from 0 to 4294967295, 0 if there is none. */
  long number(String key) {
    Yaml value = mapping.get(key);
    if (value == null || (value instanceof Yaml.Scalar scalar && scalar.isFraction())) {
      return 0; // A fraction has been found already, by the check of all values.
    }
    if (value instanceof Yaml.Scalar scalar && scalar.isWhole()) {
      String digits = scalar.text().replace("_", "");
      // A leading zero means octal to some readers and nothing to others.
      if (!digits.matches("[-+]?0[0-9].*")) {
        try {
          long number = digits.startsWith("0b") ? binary(digits) : Long.decode(digits);
          if (number >= 0 && number <= MAX_UINT32) {
            return number;
          }
        } catch (NumberFormatException e) {
          // Too large for a long, and so for this.
        }
      }
    }
    misfit(value, "uint32");
    return 0;
  }

  Yaml.@Nullable Mapping section(String key) {
    Yaml value = mapping.get(key);
    if (value != null && !(value instanceof Yaml.Mapping)) {
      misfit(value, "map");
    }
    return value instanceof Yaml.Mapping section ? section : null;
  }

  /** Returns the mappings of a list; items of other kinds have been found already. */
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
      misfit(value, "list");
    }
    return items;
  }

  /** Returns values of any kind, as dynamic metadata holds them. */
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
    Boolean truth = scalar.asBoolean();
    if (truth != null) {
      return truth;
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

  private static long binary(String digits) {
    return Long.parseLong(digits.substring(2), 2);
  }

  private void misfit(Yaml value, String kind) {
    String shown =
        value instanceof Yaml.Scalar scalar
            ? RuleFaults.shown(scalar.text())
            : value instanceof Yaml.Sequence ? "[...]" : "{...}";
    faults.add(
        file,
        value.line(),
        "error loading config file: cannot unmarshal `" + shown + "` into " + kind);
  }
}
