package io.heatshield.limit;

import java.util.List;

/**
 * A question: do these descriptors of a domain stay within their limits?
 *
 * @param domain never empty
 * @param descriptors 1 to {@value #MAX_DESCRIPTORS} of them
 * @param hitsAddend how many to count for each descriptor that does not say, 0 to 4294967295; 0
 *     counts as 1
 */
public record LimitRequest(String domain, List<Descriptor> descriptors, long hitsAddend) {
  /** The most descriptors of a request. */
  public static final int MAX_DESCRIPTORS = 1000;

  /** The largest number that the protocol's counts and limits hold. */
  public static final long MAX_UINT32 = 0xffff_ffffL;

  /** Checks the ranges and copies the list. */
  public LimitRequest {
    descriptors = List.copyOf(descriptors);
    InvalidRequestException.check(
        !domain.isEmpty(), "domain", "rate limit domain must not be empty");
    InvalidRequestException.check(
        !descriptors.isEmpty(), "descriptors", "rate limit descriptor list must not be empty");
    InvalidRequestException.check(
        descriptors.size() <= MAX_DESCRIPTORS,
        "descriptors",
        "a request must have at most " + MAX_DESCRIPTORS + " descriptors");
    InvalidRequestException.check(
        hitsAddend >= 0 && hitsAddend <= MAX_UINT32,
        "hits_addend",
        "hits_addend must be 0 to " + MAX_UINT32);
  }

  /** Returns how many a descriptor of this request counts. */
  public long hits(Descriptor descriptor) {
    return descriptor.hitsAddend().isPresent()
        ? Math.min(descriptor.hitsAddend().getAsLong(), MAX_UINT32)
        : Math.max(1, hitsAddend);
  }
}
