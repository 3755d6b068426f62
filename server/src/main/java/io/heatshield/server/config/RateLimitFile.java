package io.heatshield.server.config;

import org.jspecify.annotations.Nullable;

/**
 * Tells a file of the Envoy rate-limit service, which is handed to {@code check} as well, from a
 * configuration.
 *
 * <p>This is where the rules for such files join once the limits module is there.
 */
final class RateLimitFile {
  private RateLimitFile() {}

  /** Returns a fault if the file is a rate-limit file, otherwise null. */
  static @Nullable Fault recognise(Node.Mapping root) {
    for (String key : new String[] {"domain", "descriptors"}) {
      Node.Entry entry = root.entries().get(key);
      if (entry != null) {
        return new Fault(
            entry.keyOrigin(),
            key,
            "this is an Envoy rate-limit file, which is checked once the limits module is there",
            null);
      }
    }
    return null;
  }
}
