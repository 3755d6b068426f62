package io.heatshield.store;

import org.jspecify.annotations.Nullable;

/**
 * The result of a write: an answer, or the refusal of a throttled key.
 *
 * @param answer the answer of the write; null if it was refused, and where the answer is null
 * @param retryAfterMillis the time until a write of the key will be accepted, at least 1; 0 if this
 *     one was not refused
 * @param <T> the type of the answer
 */
public record WriteResult<T>(@Nullable T answer, long retryAfterMillis) {

  /** Returns the result of a write that was made. */
  public static <T> WriteResult<T> of(@Nullable T answer) {
    return new WriteResult<>(answer, 0);
  }

  /** Returns the result of a write that was refused and may be tried again after this time. */
  public static <T> WriteResult<T> refused(long retryAfterMillis) {
    return new WriteResult<>(null, Math.max(1, retryAfterMillis));
  }

  /** Returns whether the write was refused because its key is hot; nothing was changed then. */
  public boolean isThrottled() {
    return retryAfterMillis != 0;
  }
}
