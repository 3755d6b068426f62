package io.heatshield.insight.savings;

import java.util.Map;

/** How the calls that a mechanism saved are counted, in a sentence. */
public final class HowCounted {
  private static final Map<String, String> SENTENCES =
      Map.of(
          "absence", "One engine read for each read that the filter answered absent.",
          "hot_reads", "One engine read for each read that was answered from memory.",
          "flights", "One engine read for each read that joined one under way.",
          "clamp", "One engine write for each write that was refused.",
          "group", "Writes of a group less the one engine call that carried them.",
          "routing", "None: it spreads keys and saves no call.",
          "coalesce", "Callers of a flight less the one command that went to Redis.");

  private HowCounted() {}

  /** Returns the sentence for a mechanism. */
  public static String of(String name) {
    return name.startsWith("rule:")
        ? "One counter call for each descriptor of a request that was refused before it."
        : SENTENCES.getOrDefault(name, "As its part of the guide says.");
  }
}
