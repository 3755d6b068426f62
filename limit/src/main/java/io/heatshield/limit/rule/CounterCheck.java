package io.heatshield.limit.rule;

import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.Limit;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.counter.CounterKey;
import org.jspecify.annotations.Nullable;

/** The check of one descriptor's counter, which yields its status and updates statistics. */
final class CounterCheck {
  final AppliedRule rule;
  final Limit limit;
  final CounterKey key;
  final long hits;

  /**
   * True if the local cache knows that the counter is over its limit: the backend is not called.
   */
  final boolean knownOver;

  private final RuleCounts counts;
  private long count;
  private @Nullable OnFailure degradedBy;

  CounterCheck(
      AppliedRule rule,
      Limit limit,
      CounterKey key,
      long hits,
      RuleCounts counts,
      boolean knownOver) {
    this.rule = rule;
    this.limit = limit;
    this.key = key;
    this.hits = hits;
    this.counts = counts;
    this.knownOver = knownOver;
  }

  void count(long next, @Nullable OnFailure policy) {
    count = next;
    degradedBy = policy == null ? degradedBy : policy;
  }

  /** Returns the policy that supplied the count because the shared counters failed, or null. */
  @Nullable OnFailure degradedBy() {
    return degradedBy;
  }

  /** Returns whether the hits would exceed the limit, were they added to the count. */
  boolean wouldExceed() {
    return count + hits > limit.requestsPerUnit();
  }

  /** Returns whether the limit is exceeded by the shared counters. */
  boolean isCountedOver() {
    return !knownOver && degradedBy == null && count > limit.requestsPerUnit();
  }

  /** Counts the hits as failed. */
  void fail() {
    counts.rest.add(hits);
  }

  /** Adds the hits to the statistics of the rule, and returns the status. */
  DescriptorStatus status(float nearRatio, long clockMillis) {
    if (knownOver) {
      counts.over.add(hits);
      counts.overByLocalCache.add(hits);
      return over(hits, clockMillis);
    }
    long most = limit.requestsPerUnit();
    // In single precision, as the Envoy rate-limit service computes it.
    long near = (long) Math.floor((float) most * nearRatio);
    long before = Math.max(0, count - hits);
    if (count > most) {
      long refused = before >= most ? hits : count - most;
      counts.over.add(refused);
      if (before < most) {
        counts.rest.add(hits - refused);
        counts.near.add(most - Math.max(near, before));
      }
      return over(refused, clockMillis);
    }
    if (count > near) {
      counts.near.add(before >= near ? hits : count - near);
    }
    counts.within.add(hits);
    return new DescriptorStatus(
        false, rule.currentLimit(), most - count, limit.unit().secondsLeft(clockMillis));
  }

  private DescriptorStatus over(long refused, long clockMillis) {
    if (rule.isShadow()) {
      counts.shadow.add(refused);
    }
    return new DescriptorStatus(
        !rule.isShadow(), rule.currentLimit(), 0, limit.unit().secondsLeft(clockMillis));
  }
}
