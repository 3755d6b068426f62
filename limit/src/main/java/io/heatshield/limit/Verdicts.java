package io.heatshield.limit;

/** Turns a count into the verdict on a descriptor, and into the counts of its rule. */
final class Verdicts {
  private Verdicts() {}

  /** Returns the verdict for a count after hits were added. */
  static DescriptorStatus counted(
      AppliedRule rule,
      Limit limit,
      RuleCounts counts,
      long hits,
      long count,
      float nearRatio,
      long clockMillis) {
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
      return over(rule, limit, counts, refused, clockMillis);
    }
    if (count > near) {
      counts.near.add(before >= near ? hits : count - near);
    }
    counts.within.add(hits);
    return new DescriptorStatus(
        false, rule.current, most - count, limit.unit().secondsLeft(clockMillis));
  }

  /** Returns the verdict for a counter that is known to be over without asking the backend. */
  static DescriptorStatus overByLocalCache(
      AppliedRule rule, Limit limit, RuleCounts counts, long hits, long clockMillis) {
    counts.over.add(hits);
    counts.overByLocalCache.add(hits);
    return over(rule, limit, counts, hits, clockMillis);
  }

  private static DescriptorStatus over(
      AppliedRule rule, Limit limit, RuleCounts counts, long refused, long clockMillis) {
    if (rule.shadow) {
      counts.shadow.add(refused);
    }
    return new DescriptorStatus(
        !rule.shadow, rule.current, 0, limit.unit().secondsLeft(clockMillis));
  }
}
