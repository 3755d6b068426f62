package io.heatshield.contest;

import io.heatshield.action.Mode;
import io.heatshield.contest.Rules.ActiveRule;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rules of a table to its keys. Immutable except for the tables and counts; a change of
 * the settings creates another one.
 *
 * <p>A touch charges the bucket of every rule, so rules are independent of their order. Rules that
 * are met then act in order: each is reported, and the first that blocks ends this. A touch of a
 * blocked key charges nothing. A rule in observe records the keys that it would have blocked in a
 * separate table, and such a key charges no observing rule meanwhile: the rules in effect see
 * exactly the touches that they would see without it.
 *
 * @param observed the blocks that rules in observe would have made
 */
record RuledTable(
    ContestTable keys, Rules rules, BlockTable blocks, BlockTable observed, Callbacks callbacks) {

  /** Returns the same rules with another table of keys. */
  RuledTable with(ContestTable otherKeys) {
    return new RuledTable(otherKeys, rules, blocks, observed, callbacks);
  }

  /** Counts a touch of a key that is not blocked, and applies the rules. */
  <K> Decision touch(
      KeyForm<K> form, K key, long hash, long weight, Collection<? extends CharSequence> targets) {
    ContestTable.checkWeight(weight);
    BlockedKey block = blocks.find(form, key, hash);
    ActiveRule blocking = block == null ? null : blocking(block, form, key);
    if (block != null && blocking != null) {
      blocking.refused.increment();
      return new Decision(false, blocking.rule.name(), block.leftNanos(), null);
    }
    Tracked entry = keys.touch(form, key, hash, weight);
    if (entry == null) {
      return Decision.NOT_COUNTED;
    }
    if (!targets.isEmpty() && keys.countsDistinct()) {
      KeyHash function = keys.hash();
      targets.forEach(target -> entry.addDistinct(function.hash(target)));
    }
    return rules.all().isEmpty() ? Decision.COUNTED : apply(form, key, entry, weight);
  }

  /** Returns whether a key is blocked; counts nothing. */
  <K> Decision check(KeyForm<K> form, K key, long hash) {
    BlockedKey block = blocks.find(form, key, hash);
    ActiveRule blocking = block == null ? null : blocking(block, form, key);
    return block == null || blocking == null
        ? Decision.NOT_COUNTED
        : new Decision(false, blocking.rule.name(), block.leftNanos(), null);
  }

  /** Ends the block of a key and removes its counts; returns false if it is not blocked. */
  <K> boolean unblock(KeyForm<K> form, K key, long hash) {
    if (blocks.find(form, key, hash) == null) {
      return false;
    }
    // While the block still holds: no touch can meet a rule by the old counts in between.
    var unused = keys.remove(form, key, hash);
    boolean unusedToo = observed.lift(form, key, hash);
    return blocks.lift(form, key, hash);
  }

  private <K> Decision apply(KeyForm<K> form, K key, Tracked entry, long weight) {
    BlockedKey before = observed.find(form, key, entry.hash);
    ActiveRule observing = before == null ? null : rules.find(before.tag(), Mode.OBSERVE);
    if (observing != null && callbacks.isTrusted(form, key)) {
      observing = null;
    }
    boolean enforcedOnly = observing != null;
    long charged = rules.charged(enforcedOnly);
    long exceeded = charged == 0 ? 0 : entry.charge(weight, charged);
    for (ActiveRule active : rules.all()) {
      Mode mode = active.rule.mode();
      boolean applies = mode == Mode.ENFORCE || (mode == Mode.OBSERVE && observing == null);
      if (!applies || !active.isMet(exceeded, entry)) {
        continue;
      }
      if (callbacks.isTrusted(form, key)) {
        return Decision.COUNTED;
      }
      Duration blocked = block(active.rule, form, key, entry);
      if (blocked != null && mode == Mode.ENFORCE) {
        return refused(active, blocked, observing);
      }
      observing = blocked == null ? observing : active;
    }
    return observing == null ? Decision.COUNTED : observed(observing);
  }

  /** Blocks a key, or records that it would be blocked; null if the rule or a full table do not. */
  private <K> @Nullable Duration block(Rule rule, KeyForm<K> form, K key, Tracked entry) {
    Duration time = rule.blockTime().orElse(null);
    if (time == null) {
      callbacks.exceeded(rule, RuleEvent.Outcome.REPORTED, form, key, entry);
      return null;
    }
    BlockTable where = rule.mode() == Mode.ENFORCE ? blocks : observed;
    boolean full = where.block(form, key, entry.hash, time, rule.tag()) == BlockOutcome.FULL;
    RuleEvent.Outcome outcome = full ? RuleEvent.Outcome.FULL : RuleEvent.Outcome.BLOCKED;
    callbacks.exceeded(rule, outcome, form, key, entry);
    return full ? null : time;
  }

  private static Decision refused(
      ActiveRule active, Duration time, @Nullable ActiveRule observing) {
    active.refused.increment();
    String observer = observing == null ? null : observing.rule.name();
    if (observing != null) {
      observing.observed.increment();
    }
    return new Decision(true, active.rule.name(), time.toNanos(), observer);
  }

  private static Decision observed(ActiveRule observing) {
    observing.observed.increment();
    return new Decision(true, null, 0, observing.rule.name());
  }

  /** Returns the rule of a block if it is in effect for the key, or null. */
  private <K> @Nullable ActiveRule blocking(BlockedKey block, KeyForm<K> form, K key) {
    ActiveRule active = rules.find(block.tag(), Mode.ENFORCE);
    return active == null || callbacks.isTrusted(form, key) ? null : active;
  }
}
