package io.heatshield.insight.explain;

import java.util.List;
import java.util.Locale;

/** What can be done about a hot key: the actions that do it, and the setting that switches it. */
enum Protection {
  /** Values of hot keys are kept in memory, and reads in progress are shared. */
  HOT_READS("Answer reads of hot keys from memory.", "%,d reads were answered from memory."),
  /** Reads of keys that do not exist are answered by a filter. */
  ABSENCE(
      "Answer reads of keys that do not exist without asking the store; write the key or stop"
          + " asking for it.",
      "%,d reads were answered as absent without asking the store."),
  /** Writes to one key are held to a limit. */
  WRITE_LIMIT(
      "Throttle writes to one key past a limit, so that other keys get through.",
      "%,d writes were throttled."),
  /** Calls for one rate-limit counter share a call to Redis. */
  COALESCE("Let calls for a hot counter share one call to Redis.", "%,d calls were shared.");

  private final String advice;
  private final String effect;

  Protection(String advice, String effect) {
    this.advice = advice;
    this.effect = effect;
  }

  /** Returns the names of the actions that carry it out. */
  List<String> actions() {
    return switch (this) {
      case HOT_READS -> List.of("hot_reads", "flights");
      case ABSENCE -> List.of("absence");
      case WRITE_LIMIT -> List.of("clamp");
      case COALESCE -> List.of("coalesce");
    };
  }

  /** Returns what to do, as a sentence. */
  String advice() {
    return advice;
  }

  /** Returns what was done, as a sentence. */
  String effect(long acted) {
    return String.format(Locale.ROOT, effect, acted);
  }

  /** Returns the path of its mode for keys that come in this way. */
  String path(WayIn way, String scope) {
    return switch (way) {
      case STORE -> "stores[" + scope + "]." + section() + ".mode";
      case SHIELD -> "shield." + section() + ".mode";
      case LIMITS -> "limits.hot_keys.mode";
      case COUNTED -> throw new IllegalArgumentException("way must have settings: " + way);
    };
  }

  /**
   * Returns the line of a configuration that enforces it.
   *
   * @param more other settings of the same part, each with a comma behind it
   */
  String line(WayIn way, String scope, String more) {
    String section = more + section() + ": { mode: enforce }";
    return switch (way) {
      case STORE -> "stores: [{ name: " + scope + ", " + section + " }]";
      case SHIELD -> "shield: { " + section + " }";
      case LIMITS -> "limits: { hot_keys: { mode: enforce } }";
      case COUNTED -> throw new IllegalArgumentException("way must have settings: " + way);
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
