package io.heatshield.store;

import org.jspecify.annotations.Nullable;

/**
 * What came of a write: an answer, or the refusal of a clamped key.
 *
 * @param answer what the write returns; null if it was refused, and where the answer is null
 * @param retryAfterMillis how long until a write of the key will find room, at least 1; 0 if this
 *     one was not refused
 * @param <T> what the write returns
 */
public record Written<T>(@Nullable T answer, long retryAfterMillis) {

  /** Returns the answer of a write that was let through. */
  public static <T> Written<T> of(@Nullable T answer) {
    return new Written<>(answer, 0);
  }

  /** Returns the refusal of a write that may come again after this time. */
  public static <T> Written<T> refused(long retryAfterMillis) {
    return new Written<>(null, Math.max(1, retryAfterMillis));
  }

  /** Returns whether the write was refused because its key is hot; nothing was changed then. */
  public boolean clamped() {
    return retryAfterMillis != 0;
  }
}
