package io.heatshield.cli.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** One way in which a hot key hurts a store, and the protection against it. */
public enum Scene {
  /** Everyone reads one key. */
  HOT_KEY(
      "everyone reads one post",
      "reads of the hot key are answered from memory",
      "shield.hot_reads.mode",
      "hot_reads",
      "shield"),
  /** One client asks for keys that do not exist. */
  SCANNER(
      "a scanner guesses user ids",
      "reads of absent keys are answered by a filter",
      "shield.cuckoo_filter.mode",
      "absence",
      "shield"),
  /** One client writes one key without end. */
  RUNAWAY_WRITER(
      "a job writes its progress in a loop",
      "writes to the hot key are throttled",
      "shield.write_limit.mode",
      "clamp",
      "shield"),
  /** One rate-limit counter is asked for all the time. */
  RATE_LIMIT(
      "every request counts against one rate limit",
      "calls for the hot counter share one call to the store",
      "limits.hot_keys.mode",
      "coalesce",
      "limits");

  private final String problem;
  private final String protection;
  private final String setting;
  private final String action;
  private final String scope;

  Scene(String problem, String protection, String setting, String action, String scope) {
    this.problem = problem;
    this.protection = protection;
    this.setting = setting;
    this.action = action;
    this.scope = scope;
  }

  /** Returns the scene of this name, if there is one. */
  public static Optional<Scene> named(String name) {
    return Arrays.stream(values()).filter(scene -> scene.id().equals(name)).findFirst();
  }

  /** Returns the name for people and programs, as in {@code hot-key}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns what happens. */
  String problem() {
    return problem;
  }

  /** Returns what protects the store. */
  String protection() {
    return protection;
  }

  /** Returns the setting that switches the protection. */
  String setting() {
    return setting;
  }

  /** Returns the action that counts what the protection saves. */
  String action() {
    return action;
  }

  /** Returns the scope of that action. */
  String scope() {
    return scope;
  }
}
