package io.heatshield.config.bind;

import io.heatshield.config.value.WebhookUrl;
import io.heatshield.config.yaml.Origin;
import io.heatshield.redis.RedisUrl;
import org.jspecify.annotations.Nullable;

/** A bound setting that is not a section. */
public record Leaf(String path, Field field, @Nullable Object value, Origin origin) {
  private static final String MASK = "***";

  /** Returns the value, masked if it is a secret. */
  public String shown() {
    boolean masksItself = value == null || value instanceof RedisUrl || value instanceof WebhookUrl;
    return field.setting().secret() && !masksItself ? MASK : Kind.text(value, false);
  }

  /** Returns whether the values are equal, including secrets. */
  public boolean sameAs(Leaf other) {
    return Kind.text(value, true).equals(Kind.text(other.value, true));
  }
}
