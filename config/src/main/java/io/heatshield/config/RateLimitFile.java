package io.heatshield.config;

import io.heatshield.config.yaml.Fault;
import io.heatshield.config.yaml.Node;
import org.jspecify.annotations.Nullable;

/** Recognizes rate-limit files of Envoy. */
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
            "this is an Envoy rate-limit file and not a configuration",
            "name its folder in limits.config");
      }
    }
    return null;
  }
}
