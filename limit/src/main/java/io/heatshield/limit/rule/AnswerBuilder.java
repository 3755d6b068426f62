package io.heatshield.limit.rule;

import io.heatshield.limit.CurrentLimit;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitHeaders;
import io.heatshield.limit.LimitRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Combines the results of all descriptors of a request to the answer. */
final class AnswerBuilder {
  private final LongAdder shadowed = new LongAdder();

  /** Returns how many requests over their limit the global shadow mode answered OK. */
  long shadowed() {
    return shadowed.sum();
  }

  /**
   * Returns the answer to a request.
   *
   * @param rules the rule of each descriptor, or null
   */
  LimitAnswer of(
      LimitRequest request,
      @Nullable AppliedRule[] rules,
      List<DescriptorStatus> statuses,
      LimiterOptions options) {
    boolean over = false;
    boolean quota = false;
    boolean quotaLeft = false;
    DescriptorStatus nearest = null;
    for (int i = 0; i < rules.length; i++) {
      DescriptorStatus status = statuses.get(i);
      if (status.currentLimit() != null
          && (nearest == null || status.remaining() < nearest.remaining())) {
        nearest = status;
      }
      AppliedRule rule = rules[i];
      if (rule != null && rule.isUnlimited()) {
        continue;
      }
      if (options.quotaMode() || (rule != null && rule.isQuota())) {
        quota = true;
        quotaLeft |= !status.overLimit();
      } else if (status.overLimit()) {
        over = true;
        nearest = status;
      }
    }
    return new LimitAnswer(
        enforced(over || (quota && !quotaLeft), options),
        statuses,
        options.headers() ? headers(nearest) : null,
        options.dynamicMetadata() ? DynamicMetadata.of(request, rules, statuses) : Map.of());
  }

  private boolean enforced(boolean over, LimiterOptions options) {
    if (over && options.shadowMode()) {
      shadowed.increment();
      return false;
    }
    return over;
  }

  private static @Nullable LimitHeaders headers(@Nullable DescriptorStatus nearest) {
    CurrentLimit limit = nearest == null ? null : nearest.currentLimit();
    return nearest == null || limit == null
        ? null
        : new LimitHeaders(limit.requestsPerUnit(), nearest.remaining(), nearest.resetSeconds());
  }
}
