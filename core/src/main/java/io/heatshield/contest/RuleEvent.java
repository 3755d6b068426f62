package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import io.heatshield.key.KeyText;
import java.util.function.Supplier;

/** A touch that met a rule, for a {@link HeavyHittersListener}; valid only during its call. */
public final class RuleEvent {
  private final Rule rule;
  private final Outcome outcome;
  private final Supplier<byte[]> key;
  private final Tracked entry;

  /** The effect of a rule on a key. */
  public enum Outcome {
    /** The rule only reports. */
    REPORTED,
    /** The key is blocked; for a rule in observe, it would be. */
    BLOCKED,
    /** The key is not blocked: the maximum number of keys is. */
    FULL
  }

  <K> RuleEvent(Rule rule, Outcome outcome, KeyForm<K> form, K key, Tracked entry) {
    this.rule = rule;
    this.outcome = outcome;
    this.key = () -> form.bytes(key);
    this.entry = entry;
  }

  /** Returns the rule. */
  public Rule rule() {
    return rule;
  }

  /** Returns the effect on the key. */
  public Outcome outcome() {
    return outcome;
  }

  /** Returns a copy of all bytes of the key. */
  public byte[] key() {
    return key.get();
  }

  /** Returns a copy of the key's current score and distinct targets. */
  public KeyScore score() {
    return entry.snapshot();
  }

  /** Returns the rule, the effect and the key, with non-printable bytes escaped. */
  @Override
  public String toString() {
    return rule.name() + " " + outcome + " " + KeyText.of(key());
  }
}
