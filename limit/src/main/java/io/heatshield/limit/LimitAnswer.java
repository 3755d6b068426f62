package io.heatshield.limit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on a request.
 *
 * @param overLimit whether the caller is to be refused
 * @param statuses one for each descriptor, in their order
 * @param headers the numbers for headers; null if headers are off or no limit applied
 * @param dynamicMetadata texts, numbers (as {@link Double}), lists and maps of these; empty unless
 *     dynamic metadata is on or the shared counters did not answer
 */
public record LimitAnswer(
    boolean overLimit,
    List<DescriptorStatus> statuses,
    @Nullable LimitHeaders headers,
    Map<String, Object> dynamicMetadata) {
  /** The field of dynamic metadata that says by which policy an answer was given. */
  public static final String DEGRADED = "degraded";

  /** Returns this answer, marked as one that a policy had a part in. */
  public LimitAnswer degraded(OnFailure policy) {
    var marked = new LinkedHashMap<>(dynamicMetadata);
    marked.put(DEGRADED, policy.label());
    return new LimitAnswer(overLimit, statuses, headers, marked);
  }
}
