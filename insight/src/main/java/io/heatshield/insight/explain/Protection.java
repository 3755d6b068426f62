package io.heatshield.insight.explain;

import java.util.List;
import java.util.Locale;

/** A protection against a hot key: its actions and the setting that enables it. */
enum Protection {
  /** Keeps values of hot keys in memory and shares reads in progress. */
  HOT_READS("Answer reads of hot keys from memory.", "%,d reads were answered from memory."),
  /** Answers reads of absent keys with a filter. */
  ABSENCE(
      "Answer reads of absent keys without calling the store; write the key or stop reading it.",
      "%,d reads were answered as absent without calling the store."),
  /** Throttles writes to one key. */
  WRITE_LIMIT(
      "Throttle writes to one key above a limit, so that other keys are served.",
      "%,d writes were throttled."),
  /** Coalesces calls for one rate-limit counter into one call to Redis. */
  COALESCE("Coalesce calls for a hot counter into one call to Redis.", "%,d calls were coalesced.");

  private final String advice;
  private final String effect;

  Protection(String advice, String effect) {
    this.advice = advice;
    this.effect = effect;
  }

  /** Returns the names of its actions. */
  List<String> actions() {
    return switch (this) {
      case HOT_READS -> List.of("hot_reads", "flights");
      case ABSENCE -> List.of("absence");
      case WRITE_LIMIT -> List.of("clamp");
      case COALESCE -> List.of("coalesce");
    };
  }

  /** Returns the advice, as a sentence. */
  String advice() {
    return advice;
  }

  /** Returns the effect, as a sentence. */
  String effect(long acted) {
    return String.format(Locale.ROOT, effect, acted);
  }

  /** Returns the path of its mode for a scope. */
  String path(ScopeKind kind, String scope) {
    return switch (kind) {
      case STORE -> "stores[" + scope + "]." + section() + ".mode";
      case SHIELD -> "shield." + section() + ".mode";
      case LIMITS -> "limits.hot_keys.mode";
      case COUNTED -> throw new IllegalArgumentException("kind must have settings: " + kind);
    };
  }

  /**
   * Returns the line of the configuration file that enforces it.
   *
   * @param more other settings of the same section, each followed by a comma
   */
  String line(ScopeKind kind, String scope, String more) {
    String section = more + section() + ": { mode: enforce }";
    return switch (kind) {
      case STORE -> "stores: [{ name: " + scope + ", " + section + " }]";
      case SHIELD -> "shield: { " + section + " }";
      case LIMITS -> "limits: { hot_keys: { mode: enforce } }";
      case COUNTED -> throw new IllegalArgumentException("kind must have settings: " + kind);
    };
  }

  private String section() {
    return switch (this) {
      case HOT_READS -> "hot_reads";
      case ABSENCE -> "cuckoo_filter";
      case WRITE_LIMIT -> "write_limit";
      case COALESCE -> "hot_keys";
    };
  }
}
