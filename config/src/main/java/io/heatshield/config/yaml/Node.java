package io.heatshield.config.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A piece of YAML, immutable, that knows where it came from. */
public sealed interface Node {

  /** Returns where the piece begins. */
  Origin origin();

  /**
   * A single value.
   *
   * @param text the text as it was written, before variables are put in
   * @param plain whether it was written without quotes
   */
  record Scalar(Origin origin, String text, boolean plain) implements Node {
    public static Scalar of(Origin origin, String text) {
      return new Scalar(origin, text, true);
    }

    /** Returns whether a text in the place of this one is YAML's null. */
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

  /** A value and the place of its key. */
  record Entry(Origin keyOrigin, Node value) {}

  /** Values in a row. */
  record Sequence(Origin origin, List<Node> items) implements Node {}
}
