package io.heatshield.replay.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Advice as a configuration that the server takes. */
public final class AdviceYaml {
  private AdviceYaml() {}

  /**
   * Returns the configuration.
   *
   * @param name the trace's name, printable and of one line
   * @param limits the folder of rate-limit rules as it stands in YAML, or null to leave limits out
   */
  public static String of(Advice advice, String name, @Nullable String limits) {
    Choice choice = advice.chosen().choice();
    var lines = new ArrayList<String>();
    lines.add("# Advised by heatshield for the trace " + name);
    AdviceText.check(advice).forEach(line -> lines.add("# " + line));
    lines.add(
        String.format(
            Locale.ROOT,
            "# Expected: %.2f calls saved of 100 for hot keys, each waiting %s at most; %d KiB for each stripe.",
            100.0
                * advice.chosen().part().saved()
                / Math.max(1, advice.chosen().part().hotTouches()),
            AdviceText.duration(choice.flushNanos()),
            advice.chosen().bytes() / 1024));
    lines.add("detect:");
    lines.add("  window: " + AdviceText.duration(choice.windowMillis() * 1_000_000L));
    lines.add("  threshold: " + choice.threshold() + "   # touches per second");
    lines.add("  width: " + choice.width());
    lines.add("  depth: " + Choice.DEPTH);
    lines.add("  top_k: " + choice.topK());
    List<String> hotKeys = hotKeys(choice, limits == null ? "./limits/" : limits);
    if (limits == null) {
      lines.add("# Where rate limits are served, calls for hot limits can go together:");
      hotKeys.forEach(line -> lines.add("# " + line));
    } else {
      lines.addAll(hotKeys);
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> hotKeys(Choice choice, String limits) {
    return List.of(
        "limits:",
        "  config: " + limits,
        "  hot_keys:",
        "    mode: observe               # enforce when the savings are as expected",
        "    threshold: "
            + choice.detector().hotAt()
            + "   # the calls of one window, halved after each",
        "    decay_interval: " + AdviceText.duration(choice.windowMillis() * 1_000_000L),
        "    flush_window: " + AdviceText.duration(choice.flushNanos()),
        "    max_batch: " + Coalescing.MAX_BATCH,
        "    depth: " + Choice.DEPTH,
        "    sketch_memory: " + Math.max(1, choice.width() * Choice.DEPTH * 4 / 1024) + "KiB");
  }
}
