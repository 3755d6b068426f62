package io.heatshield.config;

import org.jspecify.annotations.Nullable;

/**
 * A setting that differs between two configurations, secrets masked.
 *
 * @param path the setting, or the section or list item that was added or removed
 * @param before its old value; null if it was added
 * @param after its new value; null if it was removed
 * @param restart whether the change requires a restart
 */
public record Change(
    String path, @Nullable String before, @Nullable String after, boolean restart) {

  /** Returns the change as one line: {@code detect.window: 60s -> 30s}. */
  @Override
  public String toString() {
    String what =
        before == null
            ? "added"
            : after == null
                ? "removed"
                : before.equals(after) ? "another secret" : before + " -> " + after;
    return path + ": " + what + (restart ? " (needs a restart)" : "");
  }
}
