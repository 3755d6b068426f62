package io.heatshield.config.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable node of a YAML document with its origin. */
public sealed interface Node {

  /** Returns where the node begins. */
  Origin origin();

  /** Returns whether the node is YAML's null, before variables are expanded. */
  default boolean isNull() {
    return this instanceof Scalar scalar && scalar.isNull(scalar.text);
  }

  /**
   * A single value.
   *
   * @param text the text as it was written, before variables are expanded
   * @param plain whether it was written without quotes
   */
  record Scalar(Origin origin, String text, boolean plain) implements Node {
    /** Returns whether this scalar is YAML's null after its variables were expanded to a text. */
    public boolean isNull(String expanded) {
      return plain
          && switch (expanded) {
            case "", "~", "null", "Null", "NULL" -> true;
            default -> false;
          };
    }
  }

  /** Values under keys, in the order they were written. */
  record Mapping(Origin origin, Map<String, Entry> entries) implements Node {

    public static Mapping empty(Origin origin) {
      return new Mapping(origin, Map.of());
    }

    public @Nullable Node get(String key) {
      Entry entry = entries.get(key);
      return entry == null ? null : entry.value();
    }

    /** Returns this mapping with one more entry, or with another value in an entry. */
    public Mapping with(String key, Node value) {
      var changed = new LinkedHashMap<>(entries);
      changed.put(key, new Entry(value.origin(), value));
      return new Mapping(origin, changed);
    }
  }

  /** A value and the origin of its key. */
  record Entry(Origin keyOrigin, Node value) {}

  /** A list of values. */
  record Sequence(Origin origin, List<Node> items) implements Node {}
}
