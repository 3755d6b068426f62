package io.heatshield.replay.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes advice as a configuration for the server. */
public final class AdviceYaml {
  private AdviceYaml() {}

  /**
   * Returns the configuration.
   *
   * @param name the printable name of the trace, on one line
   * @param limits the folder of rate-limit rules as a YAML scalar, or null for no rate limits
   */
  public static String of(Advice advice, String name, @Nullable String limits) {
    Candidate candidate = advice.chosen().candidate();
    var lines = new ArrayList<String>();
    lines.add("# Written by heatshield advise for the trace " + name);
    AdviceText.check(advice).forEach(line -> lines.add("# " + line));
    lines.add(
        String.format(
            Locale.ROOT,
            "# Expected: saves %.2f of 100 calls for hot keys; a call waits at most %s; %d KiB per stripe.",
            100.0
                * advice.chosen().measured().saved()
                / Math.max(1, advice.chosen().measured().hotTouches()),
            AdviceText.duration(candidate.flushNanos()),
            advice.chosen().bytes() / 1024));
    lines.add("detect:");
    lines.add("  window: " + candidate.windowText());
    lines.add("  threshold: " + candidate.threshold() + "   # requests/s");
    lines.add("  width: " + candidate.width());
    lines.add("  depth: " + Candidate.DEPTH);
    lines.add("  top_k: " + candidate.topK());
    List<String> hotKeys = hotKeys(candidate, limits == null ? "./limits/" : limits);
    if (limits == null) {
      lines.add("# With rate limits, calls for hot counters can be coalesced:");
      hotKeys.forEach(line -> lines.add("# " + line));
    } else {
      lines.addAll(hotKeys);
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> hotKeys(Candidate candidate, String limits) {
    return List.of(
        "limits:",
        "  config: " + limits,
        "  hot_keys:",
        "    mode: observe               # change to enforce if the savings are as expected",
        "    threshold: "
            + candidate.detector().hotAt()
            + "   # calls per window; halved after each window",
        "    decay_interval: " + candidate.windowText(),
        "    flush_window: " + AdviceText.duration(candidate.flushNanos()),
        "    max_batch: " + Coalescing.MAX_BATCH,
        "    depth: " + Candidate.DEPTH,
        "    sketch_memory: "
            + Math.max(1, candidate.width() * Candidate.DEPTH * 4 / 1024)
            + "KiB");
  }
}
