package io.heatshield.rls;

import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.rule.RuleLimiter;
import org.jspecify.annotations.Nullable;

/** Refuses requests before they reach the limiter and its counters. */
@FunctionalInterface
public interface LimitGuard {
  /** Refuses nothing. */
  LimitGuard NONE = (request, limiter) -> null;

  /**
   * Returns the answer to a request that is refused, or null to let it through; must not block.
   *
   * @param limiter the limiter that decides the request otherwise
   */
  @Nullable LimitAnswer refusal(LimitRequest request, RuleLimiter limiter);
}
