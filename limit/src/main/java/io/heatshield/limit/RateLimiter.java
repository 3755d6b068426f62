package io.heatshield.limit;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers whether requests stay within the limits that rules set.
 *
 * <p>Any thread may call any method, an event loop among them: nothing here waits. A request is
 * answered by one set of rules and one set of options, whole, whatever is swapped meanwhile.
 */
public final class RateLimiter {
  private final RuleStats ruleStats;
  private volatile RuleSet rules;
  private volatile LimiterOptions options;

  RateLimiter(RateLimiterBuilder builder) {
    ruleStats = new RuleStats(builder.maxRuleNames);
    rules = builder.rules;
    options = builder.options;
  }

  /** Returns a builder of a limiter that counts in a backend. */
  public static RateLimiterBuilder builder(CounterBackend backend) {
    return new RateLimiterBuilder(backend);
  }

  /**
   * Answers a request; the stage fails with {@link BackendUnavailableException} if the backend did,
   * and with nothing else.
   */
  public CompletionStage<LimitAnswer> decide(LimitRequest request) {
    List<DescriptorStatus> statuses =
        Collections.nCopies(request.descriptors().size(), DescriptorStatus.NO_LIMIT);
    return CompletableFuture.completedFuture(new LimitAnswer(false, statuses, null, Map.of()));
  }

  /** Takes other rules, all at once; counts go on. */
  public void rules(RuleSet next) {
    rules = next;
  }

  /** Returns the present rules. */
  public RuleSet rules() {
    return rules;
  }

  /** Takes other options, all at once. */
  public void options(LimiterOptions next) {
    options = next;
  }

  /** Returns the present options. */
  public LimiterOptions options() {
    return options;
  }

  /** Returns the counts of every rule. */
  public RuleStats ruleStats() {
    return ruleStats;
  }

  /** Returns the counts that belong to no rule. */
  public LimiterStats stats() {
    return new LimiterStats(0, 0, 0, 0);
  }
}
