package io.heatshield.contest;

import io.heatshield.action.Mode;
import io.heatshield.time.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The rules of a table in their order, with their token buckets and counts. */
final class Rules {
  private final List<ActiveRule> rules = new ArrayList<>();
  private final TokenBuckets buckets;

  /** The bits of the buckets that a touch charges: of rules in effect, and of all that count. */
  private final long enforcedBuckets;

  private final long countedBuckets;

  /** A rule with its token bucket and counts. */
  static final class ActiveRule {
    final Rule rule;

    /** The bit of its bucket, or 0 if it has none. */
    final long bucketBit;

    final LongAdder refused;
    final LongAdder observed;

    ActiveRule(Rule rule, long bucketBit, @Nullable ActiveRule before) {
      this.rule = rule;
      this.bucketBit = bucketBit;
      refused = before == null ? new LongAdder() : before.refused;
      observed = before == null ? new LongAdder() : before.observed;
    }

    /**
     * Returns whether a touch meets every condition.
     *
     * @param exceeded a bit for each bucket that had too little for the touch
     */
    boolean isMet(long exceeded, Tracked entry) {
      long above = rule.distinctAbove();
      return (bucketBit == 0 || (exceeded & bucketBit) != 0)
          && (above < 0 || entry.distinct().estimate() > above);
    }

    RuleStats stats() {
      return new RuleStats(rule.name(), rule.mode(), refused.sum(), observed.sum());
    }
  }

  /**
   * Creates the rules of a table.
   *
   * @param before the rules whose counts are continued by those of the same name, or null
   */
  Rules(List<Rule> given, @Nullable Rules before) {
    long enforced = 0;
    long counted = 0;
    long nextBit = 1;
    for (Rule rule : given) {
      boolean hasBucket = rule.bucketRate() != null;
      long bit = hasBucket ? nextBit : 0;
      nextBit <<= hasBucket ? 1 : 0;
      enforced |= rule.mode() == Mode.ENFORCE ? bit : 0;
      counted |= rule.mode() != Mode.OFF ? bit : 0;
      rules.add(new ActiveRule(rule, bit, before == null ? null : before.find(rule.tag())));
    }
    buckets = buckets(given);
    enforcedBuckets = enforced;
    countedBuckets = counted;
  }

  /** Returns the token buckets of rules: those of the rates above 0, in their order. */
  static TokenBuckets buckets(List<Rule> rules) {
    var limits = new ArrayList<TokenBuckets.Limit>();
    for (Rule rule : rules) {
      Rate rate = rule.bucketRate();
      if (rate != null) {
        limits.add(new TokenBuckets.Limit(rate, rule.burst()));
      }
    }
    return new TokenBuckets(limits);
  }

  List<ActiveRule> all() {
    return rules;
  }

  TokenBuckets buckets() {
    return buckets;
  }

  /** Returns the bits of the buckets that a touch charges. */
  long charged(boolean enforcedOnly) {
    return enforcedOnly ? enforcedBuckets : countedBuckets;
  }

  /** Returns the rule that made a block, or null if it does not exist any more. */
  @Nullable ActiveRule find(int tag) {
    for (ActiveRule active : rules) {
      if (active.rule.tag() == tag) {
        return active;
      }
    }
    return null;
  }

  /** Returns the rule that made a block, or null if it does not exist in this mode any more. */
  @Nullable ActiveRule find(int tag, Mode mode) {
    ActiveRule active = find(tag);
    return active == null || active.rule.mode() != mode ? null : active;
  }

  List<RuleStats> stats() {
    return rules.stream().map(ActiveRule::stats).toList();
  }
}
