package io.heatshield.limit;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of a rule's counters, written once but for the values that only a descriptor brings;
 * immutable. It is a short way to what {@link CounterKeys} writes, not another format.
 */
final class CounterName {
  private final Part[] parts;
  private final int length;

  private CounterName(Part[] parts) {
    this.parts = parts;
    this.length = Arrays.stream(parts).mapToInt(part -> part.text.length).sum();
  }

  /** Returns the name for the last rule of a path from the top of its domain. */
  static CounterName of(String domain, List<Rule> path, Limit limit) {
    var text = new ByteArrayOutputStream();
    text.write(limit.unit().letter());
    text.write(limit.algorithm().letter());
    text.writeBytes(CounterKeys.text(domain, ':'));
    var parts = new Part[path.size()];
    for (int i = 0; i < parts.length; i++) {
      Rule rule = path.get(i);
      text.writeBytes(CounterKeys.text(rule.key(), ':'));
      boolean shared = rule.flags().contains(Rule.Flag.SHARE_THRESHOLD);
      boolean open = !shared && (rule.value().isEmpty() || rule.isWildcard());
      if (shared) {
        text.writeBytes(CounterKeys.text(rule.pattern(), '*'));
      } else if (!open) {
        text.writeBytes(CounterKeys.text(rule.value(), ':'));
      }
      String value = shared || open ? null : rule.value();
      parts[i] = new Part(rule.key(), value, open, text.toByteArray());
      text.reset();
    }
    return new CounterName(parts);
  }

  /**
   * Returns the bytes for a path of entries that led to the rule, or null if it must be written at
   * length: rules match key and value joined, so an entry may be split elsewhere than its rule.
   */
  byte @Nullable [] bytes(List<Entry> entries) {
    int size = length;
    for (int i = 0; i < parts.length; i++) {
      Entry entry = entries.get(i);
      if (!parts[i].fits(entry)) {
        return null;
      }
      size += parts[i].open ? CounterKeys.size(entry.value(), false) : 0;
    }
    byte[] bytes = Arrays.copyOf(parts[0].text, size);
    int at = 0;
    for (int i = 0; i < parts.length && at >= 0; i++) {
      Part part = parts[i];
      if (i > 0) {
        System.arraycopy(part.text, 0, bytes, at, part.text.length);
      }
      at += part.text.length;
      if (part.open) {
        at = CounterKeys.write(entries.get(i).value(), ':', bytes, at, false);
      }
    }
    return at < 0 ? null : bytes;
  }

  /** What one level adds. */
  private static final class Part {
    final String key;
    final @Nullable String value;
    final boolean open;
    final byte[] text;

    /**
     * Takes what is known of a level.
     *
     * @param value what the entry's value must be, or null
     * @param open whether the entry's value follows the text
     */
    Part(String key, @Nullable String value, boolean open, byte[] text) {
      this.key = key;
      this.value = value;
      this.open = open;
      this.text = text;
    }

    boolean fits(Entry entry) {
      return key.equals(entry.key()) && (value == null || value.equals(entry.value()));
    }
  }
}
