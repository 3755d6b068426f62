package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Calls the code of a table's owner, and counts what it throws. */
record Callbacks(
    @Nullable HeavyHittersListener listener,
    @Nullable Predicate<? super byte[]> trusted,
    LongAdder faults) {

  /**
   * Returns whether no rule acts on a key. Called only for keys that a rule is about to act on: the
   * predicate may be slow. If it throws, no rule acts.
   */
  <K> boolean isTrusted(KeyForm<K> form, K key) {
    if (trusted == null) {
      return false;
    }
    try {
      return trusted.test(form.bytes(key));
    } catch (RuntimeException e) {
      faults.increment();
      return true;
    }
  }

  <K> void exceeded(Rule rule, RuleEvent.Outcome outcome, KeyForm<K> form, K key, Tracked entry) {
    if (listener == null) {
      return;
    }
    try {
      listener.exceeded(new RuleEvent(rule, outcome, form, key, entry));
    } catch (RuntimeException e) {
      faults.increment();
    }
  }

  void evicted(Tracked entry) {
    if (listener == null) {
      return;
    }
    try {
      listener.evicted(entry.snapshot());
    } catch (RuntimeException e) {
      faults.increment();
    }
  }
}
