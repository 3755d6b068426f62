package io.heatshield.limit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request.
 *
 * @param overLimit whether the caller must be refused
 * @param statuses one for each descriptor, in order
 * @param headers the numbers for headers; null if headers are off or no limit applied
 * @param dynamicMetadata strings, numbers (as {@link Double}), lists and maps of these; empty
 *     unless dynamic metadata is on or the shared counters did not answer
 */
public record LimitAnswer(
    boolean overLimit,
    List<DescriptorStatus> statuses,
    @Nullable LimitHeaders headers,
    Map<String, Object> dynamicMetadata) {
  /** The field of dynamic metadata with the policy that supplied a count. */
  public static final String DEGRADED = "degraded";

  /** Returns this answer with a mark that a policy supplied a count. */
  public LimitAnswer degraded(OnFailure policy) {
    var marked = new LinkedHashMap<>(dynamicMetadata);
    marked.put(DEGRADED, policy.label());
    return new LimitAnswer(overLimit, statuses, headers, marked);
  }
}
