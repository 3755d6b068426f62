package io.heatshield.insight.savings;

import java.util.Map;

/** Describes how the saved calls of each mechanism are counted. */
public final class SavingsDescription {
  private static final Map<String, String> SENTENCES =
      Map.of(
          "absence", "One engine read per read that the filter answered as absent.",
          "hot_reads", "One engine read per cache hit: a read answered from memory.",
          "flights", "One engine read per read that shared a read in progress.",
          "clamp", "One engine write per throttled write.",
          "group", "The writes of a group, minus the one engine call that executed them.",
          "routing", "None: routing spreads keys and saves no calls.",
          "coalesce", "The callers of a batch, minus the one command that was sent to Redis.");

  private SavingsDescription() {}

  /** Returns the description of a mechanism. */
  public static String of(String mechanism) {
    return mechanism.startsWith("rule:")
        ? "One counter call per descriptor of a request that the rule refused."
        : SENTENCES.getOrDefault(mechanism, "See the guide.");
  }
}
