package io.heatshield.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The subject of a limit: a path of keys and values.
 *
 * @param entries at most {@value #MAX_ENTRIES}; no rule matches an empty list
 * @param override a limit supplied by the caller, or null
 * @param hitsAddend the hits to add instead of the request's; 0 only reads, and more than
 *     4294967295 counts as 4294967295
 */
public record Descriptor(
    List<DescriptorEntry> entries, @Nullable LimitOverride override, OptionalLong hitsAddend) {
  /** The most entries of a descriptor. */
  public static final int MAX_ENTRIES = 100;

  /** Checks the ranges and copies the list. */
  public Descriptor {
    entries = List.copyOf(entries);
    InvalidRequestException.check(
        entries.size() <= MAX_ENTRIES,
        "descriptors.entries",
        "a descriptor must have at most " + MAX_ENTRIES + " entries");
    InvalidRequestException.check(
        hitsAddend.orElse(0) >= 0, "descriptors.hits_addend", "hits_addend must not be negative");
  }

  /** Returns a descriptor without an override and an addend. */
  public static Descriptor of(DescriptorEntry... entries) {
    return new Descriptor(List.of(entries), null, OptionalLong.empty());
  }

  /**
   * Returns the entries as {@code key=value,key=value}. A comma, equals sign or backslash inside a
   * key or value is escaped by a backslash, so different descriptors have different texts.
   */
  public String text() {
    var text = new StringBuilder(32);
    for (DescriptorEntry entry : entries) {
      if (text.length() > 0) {
        text.append(',');
      }
      append(text, entry.key());
      text.append('=');
      append(text, entry.value());
    }
    return text.toString();
  }

  /** Parses a {@link #text}; returns null if it is malformed. */
  public static @Nullable Descriptor parse(String text) {
    var entries = new ArrayList<DescriptorEntry>();
    var part = new StringBuilder(32);
    String key = null;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      if (c == '\\') {
        if (++i == text.length()) {
          return null;
        }
        part.append(text.charAt(i));
      } else if (c == '=' && key == null) {
        key = part.toString();
        part.setLength(0);
      } else if (c == ',' && key != null && entries.size() < MAX_ENTRIES) {
        entries.add(new DescriptorEntry(key, part.toString()));
        key = null;
        part.setLength(0);
      } else if (c == '=' || c == ',') {
        return null;
      } else {
        part.append(c);
      }
    }
    return new Descriptor(entries, null, OptionalLong.empty());
  }

  private static void append(StringBuilder text, String part) {
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == ',' || c == '=' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
  }
}
