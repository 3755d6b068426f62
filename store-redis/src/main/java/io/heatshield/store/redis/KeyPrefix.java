package io.heatshield.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The prefix of a store's keys in Redis, which may be empty. */
final class KeyPrefix {
  private static final int MAX_PREFIX = 1024;

  private final byte[] prefix;
  private final byte[] pattern;

  KeyPrefix(String text) {
    prefix = text.getBytes(StandardCharsets.UTF_8);
    if (prefix.length > MAX_PREFIX) {
      throw new IllegalArgumentException(
          "prefix must be at most " + MAX_PREFIX + " bytes: " + prefix.length);
    }
    pattern =
        text.isEmpty()
            ? prefix
            : (text.replaceAll("([\\\\*?\\[\\]^-])", "\\\\$1") + "*")
                .getBytes(StandardCharsets.UTF_8);
  }

  byte[] bytes() {
    return prefix;
  }

  /** Returns the pattern for SCAN; empty to match everything. */
  byte[] pattern() {
    return pattern;
  }

  /** Returns the name in Redis of a key of the store. */
  byte[] name(byte[] key) {
    if (prefix.length == 0) {
      return key;
    }
    byte[] name = Arrays.copyOf(prefix, prefix.length + key.length);
    System.arraycopy(key, 0, name, prefix.length, key.length);
    return name;
  }

  /** Returns the store's key for a name in Redis, or null if the name has another prefix. */
  byte @Nullable [] key(byte[] name) {
    if (prefix.length == 0) {
      return name;
    }
    boolean ours =
        name.length >= prefix.length
            && Arrays.equals(prefix, 0, prefix.length, name, 0, prefix.length);
    return ours ? Arrays.copyOfRange(name, prefix.length, name.length) : null;
  }
}
