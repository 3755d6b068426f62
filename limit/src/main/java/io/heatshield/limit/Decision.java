package io.heatshield.limit;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One request on its way through the backend: it is asked, counts come in, the answer is made. */
final class Decision extends CompletableFuture<LimitAnswer> implements CounterSink {
  /*
   * counts[], degraded[]   written: plain, each slot by whoever tells its count   read: plain, by who tells the last
   *
   * Whoever tells a count lowers "awaited" afterwards, and the one who brings it to zero goes on:
   * the atomic decrement orders all writes of counts before that. One more is awaited than there are
   * counters, for the asking itself, so that a backend which answers at once does not overtake it.
   */
  private final RateLimiter limiter;
  private final Policy policy;
  private final LimitRequest request;
  private final DomainRules domain;
  private final long clockMillis;
  private final @Nullable AppliedRule[] rules;
  private final @Nullable CounterKey[] keys;
  private final RuleCounts[] stats;
  private final boolean[] knownOver;
  private final long[] hits;
  private final long[] counts;
  private final @Nullable OnFailure[] degraded;
  private final AtomicInteger awaited = new AtomicInteger();
  private boolean looking;

  Decision(RateLimiter limiter, Policy policy, LimitRequest request, DomainRules domain, long now) {
    int size = request.descriptors().size();
    this.limiter = limiter;
    this.policy = policy;
    this.request = request;
    this.domain = domain;
    this.clockMillis = now;
    this.rules = new AppliedRule[size];
    this.keys = new CounterKey[size];
    this.stats = new RuleCounts[size];
    this.knownOver = new boolean[size];
    this.hits = new long[size];
    this.counts = new long[size];
    this.degraded = new OnFailure[size];
  }

  /** Asks; returns this, which may be complete already. */
  Decision start() {
    match();
    boolean anyKnownOver = prepare();
    if (policy.options.stopIncrementWhenOver() && anyKnownOver) {
      ask(new long[hits.length]);
    } else if (policy.options.stopIncrementWhenOver()) {
      looking = true;
      ask(new long[hits.length]);
    } else {
      ask(hits);
    }
    return this;
  }

  @Override
  public void counted(int slot, long count) {
    counts[slot] = count;
    arrive();
  }

  @Override
  public void degraded(int slot, OnFailure policy, long count) {
    degraded[slot] = policy;
    counted(slot, count);
  }

  @Override
  public void failed(int slot, BackendUnavailableException reason) {
    if (limiter.fail(this, reason)) {
      for (int i = 0; i < stats.length; i++) {
        if (stats[i] != null) {
          stats[i].rest.add(hits[i]);
        }
      }
    }
  }

  private void match() {
    Set<String> replaced = Set.of();
    for (int i = 0; i < rules.length; i++) {
      Descriptor descriptor = request.descriptors().get(i);
      hits[i] = request.hits(descriptor);
      rules[i] = Policy.find(domain, request.domain(), descriptor);
      if (rules[i] != null && !rules[i].replaces.isEmpty()) {
        replaced = replaced.isEmpty() ? new HashSet<>() : replaced;
        replaced.addAll(rules[i].replaces);
      }
    }
    for (int i = 0; i < rules.length && !replaced.isEmpty(); i++) {
      AppliedRule rule = rules[i];
      if (rule != null && !rule.isUnlimited() && replaced.contains(rule.label)) {
        rules[i] = null;
      }
    }
  }

  private boolean prepare() {
    boolean any = false;
    for (int i = 0; i < rules.length; i++) {
      Descriptor descriptor = request.descriptors().get(i);
      AppliedRule rule = rules[i];
      if (rule != null && rule.limit != null) {
        stats[i] = policy.counts(domain, rule, descriptor);
        keys[i] = policy.key(request.domain(), descriptor, rule, rule.limit);
        knownOver[i] = limiter.isKnownOver(keys[i], rule.limit, clockMillis);
        any |= knownOver[i];
      }
      limiter.touched(request.domain(), descriptor, hits[i]);
    }
    return any;
  }

  private void ask(long[] additions) {
    awaited.set(1);
    for (int i = 0; i < rules.length && !isDone(); i++) {
      AppliedRule rule = rules[i];
      CounterKey key = keys[i];
      if (rule != null && rule.limit != null && key != null && !knownOver[i]) {
        awaited.incrementAndGet();
        limiter.ask(key, rule.limit, additions[i], clockMillis, this, i);
      }
    }
    arrive();
  }

  private void arrive() {
    if (awaited.decrementAndGet() > 0 || isDone()) {
      return;
    }
    if (looking) {
      looking = false;
      ask(stopped());
    } else {
      complete(answer());
    }
  }

  /** Returns what is added after a look: all hits, or only those of limits that they exceed. */
  private long[] stopped() {
    var exceeding = new long[hits.length];
    boolean any = false;
    for (int i = 0; i < rules.length; i++) {
      AppliedRule rule = rules[i];
      if (rule != null
          && rule.limit != null
          && counts[i] + hits[i] > rule.limit.requestsPerUnit()) {
        exceeding[i] = hits[i];
        any = true;
      }
    }
    return any ? exceeding : hits;
  }

  private LimitAnswer answer() {
    var statuses = new DescriptorStatus[rules.length];
    Arrays.fill(statuses, DescriptorStatus.NO_LIMIT);
    OnFailure policyUsed = null;
    for (int i = 0; i < rules.length; i++) {
      AppliedRule rule = rules[i];
      CounterKey key = keys[i];
      if (rule != null && key != null && rule.limit != null) {
        statuses[i] =
            knownOver[i]
                ? Verdicts.overByLocalCache(rule, rule.limit, stats[i], hits[i], clockMillis)
                : verdict(i, rule, rule.limit, key);
        policyUsed = degraded[i] == null ? policyUsed : degraded[i];
      } else if (rule != null) {
        statuses[i] = DescriptorStatus.UNLIMITED;
      }
    }
    LimitAnswer answer = limiter.answers().of(request, rules, List.of(statuses), policy.options);
    return policyUsed == null ? answer : answer.degraded(policyUsed);
  }

  /** Returns the verdict for a count; one that a policy gave is not remembered as over. */
  private DescriptorStatus verdict(int i, AppliedRule rule, Limit limit, CounterKey key) {
    return degraded[i] == null
        ? limiter.verdict(policy, rule, limit, stats[i], key, hits[i], counts[i], clockMillis)
        : Verdicts.counted(
            rule,
            limit,
            stats[i],
            hits[i],
            counts[i],
            policy.options.nearLimitRatio(),
            clockMillis);
  }
}
