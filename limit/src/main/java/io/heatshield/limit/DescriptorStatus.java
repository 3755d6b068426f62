package io.heatshield.limit;

import org.jspecify.annotations.Nullable;

/**
 * The verdict on one descriptor.
 *
 * @param overLimit whether the caller is to be refused because of it
 * @param currentLimit the limit that applied; null if none did or it is unlimited
 * @param remaining what is left of the limit; 4294967295 if unlimited, 0 if none applied
 * @param resetSeconds whole seconds until the window ends; -1 if no limit applied
 */
public record DescriptorStatus(
    boolean overLimit, @Nullable CurrentLimit currentLimit, long remaining, int resetSeconds) {
  /** The verdict on a descriptor to which no limit applies. */
  public static final DescriptorStatus NO_LIMIT = new DescriptorStatus(false, null, 0, -1);

  /** The verdict on a descriptor whose rule is unlimited. */
  public static final DescriptorStatus UNLIMITED =
      new DescriptorStatus(false, null, LimitRequest.MAX_UINT32, -1);
}
