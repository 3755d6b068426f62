package io.heatshield.rls;

import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.limiter.RateLimiter;
import org.jspecify.annotations.Nullable;

/** Refuses questions before they reach the limiter, its counters and their backend. */
@FunctionalInterface
public interface LimitGuard {
  /** Refuses nothing. */
  LimitGuard NONE = (question, limiter) -> null;

  /**
   * Returns the answer to a question that is refused, or null to let it through; it must not block.
   *
   * @param limiter what would have been asked
   */
  @Nullable LimitAnswer refusal(LimitRequest question, RateLimiter limiter);
}
