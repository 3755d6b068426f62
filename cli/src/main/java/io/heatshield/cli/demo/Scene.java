package io.heatshield.cli.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A problem caused by a hot key, and the protection against it. */
public enum Scene {
  /** Many clients read one key. */
  HOT_KEY(
      "everyone reads one post",
      "reads of the hot key are served from memory",
      "shield.hot_reads.mode",
      "hot_reads",
      "shield"),
  /** One client reads absent keys. */
  SCANNER(
      "a scanner guesses user ids",
      "reads of absent keys are answered by a cuckoo filter",
      "shield.cuckoo_filter.mode",
      "absence",
      "shield"),
  /** One client writes one key in a loop. */
  RUNAWAY_WRITER(
      "a job writes its progress in a loop",
      "writes to the hot key are throttled",
      "shield.write_limit.mode",
      "clamp",
      "shield"),
  /** All calls use one rate-limit counter. */
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

  /** Returns the name on the command line and in JSON, such as {@code hot-key}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns a description of the problem. */
  String problem() {
    return problem;
  }

  /** Returns a description of the protection. */
  String protection() {
    return protection;
  }

  /** Returns the setting for the mode of the protection. */
  String setting() {
    return setting;
  }

  /** Returns the action that counts the savings. */
  String action() {
    return action;
  }

  /** Returns the scope of that action. */
  String scope() {
    return scope;
  }
}
