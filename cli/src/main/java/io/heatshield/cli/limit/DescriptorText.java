package io.heatshield.cli.limit;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import java.util.ArrayList;
import java.util.List;

/** Parses and formats descriptors as {@code key=value,key=value}. */
public final class DescriptorText {
  private DescriptorText() {}

  /**
   * Parses a descriptor. A backslash escapes a comma, an equals sign or a backslash.
   *
   * @throws IllegalArgumentException if a part is not {@code key=value}
   */
  public static RateLimitDescriptor parse(String text) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (String part : split(text, ',')) {
      List<String> entry = split(part, '=');
      if (entry.size() != 2 || entry.get(0).isEmpty()) {
        throw new IllegalArgumentException("descriptors must be key=value,key=value: " + text);
      }
      descriptor.addEntries(
          RateLimitDescriptor.Entry.newBuilder()
              .setKey(plain(entry.get(0)))
              .setValue(plain(entry.get(1))));
    }
    return descriptor.build();
  }

  /** Returns the text of a descriptor in the syntax of {@link #parse}. */
  public static String of(RateLimitDescriptor descriptor) {
    var text = new StringBuilder();
    for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
      text.append(text.length() == 0 ? "" : ",");
      text.append(escaped(entry.getKey())).append('=').append(escaped(entry.getValue()));
    }
    return text.toString();
  }

  private static List<String> split(String text, char at) {
    var parts = new ArrayList<String>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == at) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static String plain(String part) {
    return part.replaceAll("\\\\([,=\\\\])", "$1");
  }

  private static String escaped(String part) {
    return part.replaceAll("([,=\\\\])", "\\\\$1");
  }
}
