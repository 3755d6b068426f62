package io.heatshield.limit.rule;

import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides one request: finds its rules, adds to its counters, completes with the answer. */
final class Decision extends CompletableFuture<LimitAnswer> implements CounterSink {
  /*
   * Fields of checks[i] are plain. The thread that reports a count writes them and then decrements
   * "awaited". The thread that decrements it to zero continues; the atomic decrement orders all
   * writes before that. "awaited" begins at one more than the number of counters, so that a backend
   * that answers immediately does not complete the request too early.
   */
  private final RuleLimiter limiter;
  private final Policy policy;
  private final LimitRequest request;
  private final long clockMillis;

  /** The rule of each descriptor, or null. */
  private final @Nullable AppliedRule[] rules;

  /** The counter of each descriptor, or null if it has no limit. */
  private final @Nullable CounterCheck[] checks;

  private final AtomicInteger awaited = new AtomicInteger();
  private boolean reading;

  Decision(RuleLimiter limiter, Policy policy, LimitRequest request, DomainRules domain, long now) {
    this.limiter = limiter;
    this.policy = policy;
    this.request = request;
    this.clockMillis = now;
    this.rules = findRules(domain, request.descriptors());
    this.checks = new CounterCheck[rules.length];
    for (int i = 0; i < rules.length; i++) {
      Descriptor descriptor = request.descriptors().get(i);
      long hits = request.hits(descriptor);
      AppliedRule rule = rules[i];
      Limit limit = rule == null ? null : rule.limit();
      if (rule != null && limit != null) {
        CounterKey key = policy.key(request.domain(), descriptor, rule, limit);
        RuleCounts counts = policy.counts(domain, rule, descriptor);
        boolean knownOver = limiter.isKnownOver(key, limit, clockMillis);
        checks[i] = new CounterCheck(rule, limit, key, hits, counts, knownOver);
      }
      limiter.touched(request.domain(), descriptor, hits);
    }
  }

  /** Calls the backend; returns this, which may be complete. */
  Decision start() {
    if (!policy.options.stopIncrementWhenOver()) {
      add(additions(check -> true));
      return this;
    }
    // Reads all counters first, then adds; adds nothing if one is known to be over.
    reading = true;
    for (CounterCheck check : checks) {
      reading &= check == null || !check.knownOver;
    }
    add(new long[checks.length]);
    return this;
  }

  @Override
  public void counted(int slot, long count) {
    count(slot, count, null);
  }

  @Override
  public void degraded(int slot, OnFailure by, long count) {
    count(slot, count, by);
  }

  @Override
  public void failed(int slot, BackendUnavailableException reason) {
    if (limiter.fail(this, reason)) {
      for (CounterCheck check : checks) {
        if (check != null) {
          check.fail();
        }
      }
    }
  }

  /** Returns the rule of each descriptor, except those that another rule replaces. */
  private static @Nullable AppliedRule[] findRules(
      DomainRules domain, List<Descriptor> descriptors) {
    var rules = new @Nullable AppliedRule[descriptors.size()];
    Set<String> replaced = new HashSet<>(0);
    for (int i = 0; i < rules.length; i++) {
      AppliedRule rule = domain.find(descriptors.get(i));
      rules[i] = rule;
      if (rule != null) {
        replaced.addAll(rule.replaces());
      }
    }
    for (int i = 0; i < rules.length && !replaced.isEmpty(); i++) {
      AppliedRule rule = rules[i];
      if (rule != null && !rule.isUnlimited() && replaced.contains(rule.label())) {
        rules[i] = null;
      }
    }
    return rules;
  }

  private void count(int slot, long count, @Nullable OnFailure by) {
    CounterCheck check = checks[slot];
    if (check != null) {
      check.count(count, by);
    }
    arrive();
  }

  private void add(long[] additions) {
    awaited.set(1);
    for (int i = 0; i < checks.length && !isDone(); i++) {
      CounterCheck check = checks[i];
      if (check != null && !check.knownOver) {
        awaited.incrementAndGet();
        limiter.add(check, additions[i], clockMillis, this, i);
      }
    }
    arrive();
  }

  private void arrive() {
    if (awaited.decrementAndGet() > 0 || isDone()) {
      return;
    }
    if (reading) {
      reading = false;
      addAfterRead();
    } else {
      complete(answer());
    }
  }

  /** Adds all hits, or only those that exceed their limits if there are any. */
  private void addAfterRead() {
    boolean exceeds = false;
    for (CounterCheck check : checks) {
      exceeds |= check != null && check.wouldExceed();
    }
    add(additions(exceeds ? CounterCheck::wouldExceed : check -> true));
  }

  /** Returns the hits to add to each counter, 0 for those that are only read. */
  private long[] additions(Predicate<CounterCheck> added) {
    var additions = new long[checks.length];
    for (int i = 0; i < checks.length; i++) {
      CounterCheck check = checks[i];
      additions[i] = check != null && added.test(check) ? check.hits : 0;
    }
    return additions;
  }

  private LimitAnswer answer() {
    var statuses = new ArrayList<DescriptorStatus>(rules.length);
    OnFailure degradedBy = null;
    for (int i = 0; i < rules.length; i++) {
      CounterCheck check = checks[i];
      if (check == null) {
        statuses.add(rules[i] == null ? DescriptorStatus.NO_LIMIT : DescriptorStatus.UNLIMITED);
        continue;
      }
      statuses.add(check.status(policy.options.nearLimitRatio(), clockMillis));
      if (check.isCountedOver()) {
        limiter.rememberOver(check.key, check.limit, clockMillis);
      }
      degradedBy = check.degradedBy() == null ? degradedBy : check.degradedBy();
    }
    LimitAnswer answer =
        limiter.answers().of(request, rules, List.copyOf(statuses), policy.options);
    return degradedBy == null ? answer : answer.degraded(degradedBy);
  }
}
