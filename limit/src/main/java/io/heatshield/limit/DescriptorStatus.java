package io.heatshield.limit;

import org.jspecify.annotations.Nullable;

/**
 * The result for one descriptor.
 *
 * @param overLimit whether the caller must be refused because of it
 * @param currentLimit the limit that applied; null if none did or it is unlimited
 * @param remaining the rest of the limit; 4294967295 if unlimited, 0 if none applied
 * @param resetSeconds whole seconds until the window ends; -1 if no limit applied
 */
public record DescriptorStatus(
    boolean overLimit, @Nullable CurrentLimit currentLimit, long remaining, int resetSeconds) {
  /** The result for a descriptor without a limit. */
  public static final DescriptorStatus NO_LIMIT = new DescriptorStatus(false, null, 0, -1);

  /** The result for a descriptor whose rule is unlimited. */
  public static final DescriptorStatus UNLIMITED =
      new DescriptorStatus(false, null, LimitRequest.MAX_UINT32, -1);
}
