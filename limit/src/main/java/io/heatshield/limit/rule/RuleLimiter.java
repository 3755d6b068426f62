package io.heatshield.limit.rule;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether requests are within the limits of rules, as the Envoy rate-limit service does.
 *
 * <pre>{@code
 * Rule perUser = Rule.of("user", "", new Limit(5, LimitUnit.MINUTE, Algorithm.FIXED_WINDOW));
 * RuleLimiter limiter =
 *     RuleLimiter.inMemory(100_000).rules(RuleSet.of(Map.of("api", List.of(perUser)))).build();
 *
 * Descriptor user = Descriptor.of(new DescriptorEntry("user", "42"));
 * limiter.decide(new LimitRequest("api", List.of(user), 1))
 *     .thenAccept(answer -> log(answer.overLimit()));
 * }</pre>
 *
 * <p>{@link io.heatshield.limit.yaml.RuleFiles} reads rules from YAML. For limits of keys without
 * rules, {@link io.heatshield.limit.memory.RateLimiter} is simpler and faster.
 *
 * <p>Any thread may call any method, event loops included: no method blocks. Each request is
 * decided by one set of rules and options, even if these are replaced meanwhile. With a backend in
 * this process the answer is complete when {@link #decide} returns.
 *
 * <p>All descriptors of a request are counted even if one is over its limit, except those that the
 * local cache has as over.
 */
public final class RuleLimiter {
  private final CounterBackend backend;
  private final LongSupplier clock;
  private final TouchListener touches;
  private final @Nullable OverLimitCache overLimit;
  private final RuleStats ruleStats;
  private final AnswerBuilder answers = new AnswerBuilder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder unknownDomains = new LongAdder();
  private volatile Policy policy;

  RuleLimiter(RuleLimiterBuilder builder) {
    backend = builder.backend();
    clock = builder.clockMillis;
    touches = builder.touches;
    overLimit = OverLimitCache.ofBytes(builder.localCacheBytes);
    ruleStats = new RuleStats(builder.maxRuleNames);
    policy = new Policy(builder.rules, builder.options, ruleStats);
  }

  /**
   * Returns a builder of a limiter that counts in this process.
   *
   * @param maxCounters the most counters at a time
   */
  public static RuleLimiterBuilder inMemory(int maxCounters) {
    return new RuleLimiterBuilder(null, maxCounters);
  }

  /** Returns a builder of a limiter that counts in a backend, such as a Redis. */
  public static RuleLimiterBuilder over(CounterBackend backend) {
    return new RuleLimiterBuilder(Objects.requireNonNull(backend, "backend"), 0);
  }

  /**
   * Decides a request. The stage fails only with {@link BackendUnavailableException}, if the
   * backend failed.
   */
  public CompletionStage<LimitAnswer> decide(LimitRequest request) {
    Policy now = policy;
    DomainRules domain = now.rules.domain(request.domain());
    List<Descriptor> descriptors = request.descriptors();
    if (domain == null) {
      unknownDomains.add(descriptors.size());
      List<DescriptorStatus> none =
          Collections.nCopies(descriptors.size(), DescriptorStatus.NO_LIMIT);
      return CompletableFuture.completedFuture(
          answers.of(request, new AppliedRule[none.size()], none, now.options));
    }
    return new Decision(this, now, request, domain, clock.getAsLong()).start();
  }

  /** Returns the number of counters that a request would increment. */
  public int counters(LimitRequest request) {
    DomainRules domain = policy.rules.domain(request.domain());
    int counters = 0;
    for (Descriptor descriptor : request.descriptors()) {
      AppliedRule rule = domain == null ? null : domain.find(descriptor);
      counters += rule == null || rule.isUnlimited() ? 0 : 1;
    }
    return counters;
  }

  /**
   * Returns the keys of the fixed-window counters that descriptors have under the present rules.
   */
  public List<CounterKey> counterKeys(String domainName, List<Descriptor> descriptors) {
    Policy now = policy;
    DomainRules domain = now.rules.domain(domainName);
    var counters = new ArrayList<CounterKey>();
    if (domain == null) {
      return counters;
    }
    for (Descriptor descriptor : descriptors) {
      AppliedRule rule = domain.find(descriptor);
      if (rule == null) {
        continue;
      }
      Limit limit = rule.limit();
      if (limit != null && limit.algorithm() == Algorithm.FIXED_WINDOW) {
        counters.add(now.key(domainName, descriptor, rule, limit));
      }
    }
    return counters;
  }

  /** Replaces the rules; counts continue. */
  public synchronized void rules(RuleSet next) {
    policy = new Policy(next, policy.options, ruleStats);
  }

  public RuleSet rules() {
    return policy.rules;
  }

  /** Replaces the options. */
  public synchronized void options(LimiterOptions next) {
    policy = new Policy(policy.rules, next, ruleStats);
  }

  public LimiterOptions options() {
    return policy.options;
  }

  /** Returns the counts of every rule. */
  public RuleStats ruleStats() {
    return ruleStats;
  }

  /** Returns the totals that belong to no rule. */
  public LimiterStats stats() {
    return new LimiterStats(failures.sum(), unknownDomains.sum(), answers.shadowed());
  }

  boolean isKnownOver(CounterKey key, Limit limit, long clockMillis) {
    return overLimit != null && overLimit.isOver(key, limit, clockMillis);
  }

  void rememberOver(CounterKey key, Limit limit, long clockMillis) {
    if (overLimit != null) {
      overLimit.put(key, limit, clockMillis);
    }
  }

  void touched(String domain, Descriptor descriptor, long hits) {
    if (hits > 0) {
      touches.touched(domain, descriptor, hits);
    }
  }

  /** Adds hits to a counter; reports exceptions of the backend to the sink. */
  void add(CounterCheck check, long hits, long clockMillis, CounterSink sink, int slot) {
    try {
      backend.add(check.key, check.limit, hits, clockMillis, sink, slot);
    } catch (RuntimeException e) {
      sink.failed(slot, new BackendUnavailableException("the counter backend failed", e));
    }
  }

  /** Fails a request; returns whether this is its first failure. */
  boolean fail(CompletableFuture<LimitAnswer> decision, BackendUnavailableException reason) {
    boolean first = decision.completeExceptionally(reason);
    if (first) {
      failures.increment();
    }
    return first;
  }

  AnswerBuilder answers() {
    return answers;
  }
}
