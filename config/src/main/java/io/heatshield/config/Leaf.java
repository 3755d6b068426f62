package io.heatshield.config;

import io.heatshield.redis.RedisUrl;
import org.jspecify.annotations.Nullable;

/** A setting without settings inside, as it was bound. */
record Leaf(String path, Field field, @Nullable Object value, Origin origin) {
  private static final String MASK = "***";

  /** Returns the value as it may be shown. */
  String shown() {
    boolean masksItself = value == null || value instanceof RedisUrl || value instanceof WebhookUrl;
    return field.setting().secret() && !masksItself ? MASK : Kind.text(value, false);
  }

  /** Returns whether the other holds the same value, secrets included. */
  boolean sameAs(Leaf other) {
    return Kind.text(value, true).equals(Kind.text(other.value, true));
  }
}
