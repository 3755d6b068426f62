package io.heatshield.limit;

import java.util.List;

/**
 * A request for the state of the limits of some descriptors of a domain.
 *
 * @param domain not empty
 * @param descriptors 1 to {@value #MAX_DESCRIPTORS}
 * @param hitsAddend the hits to add for each descriptor without an addend, 0 to 4294967295; 0
 *     counts as 1
 */
public record LimitRequest(String domain, List<Descriptor> descriptors, long hitsAddend) {
  /** The most descriptors of a request. */
  public static final int MAX_DESCRIPTORS = 1000;

  /** The largest count and limit of the protocol. */
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

  /** Returns the hits to add for a descriptor of this request. */
  public long hits(Descriptor descriptor) {
    return descriptor.hitsAddend().isPresent()
        ? Math.min(descriptor.hitsAddend().getAsLong(), MAX_UINT32)
        : Math.max(1, hitsAddend);
  }
}
