package io.heatshield.bench;

import static io.heatshield.bench.Bar.number;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The report of a run: the bars with pass or fail, then every figure, with machine, JDK, date and
 * command.
 *
 * <p>Called as {@code Ratios OUT.md COMMAND IN.json...}.
 */
public final class Ratios {
  private Ratios() {}

  /** Writes the report and prints the bars. */
  public static void main(String[] args) throws IOException {
    if (args.length < 3) {
      throw new IllegalArgumentException("arguments must be OUT.md COMMAND IN.json...");
    }
    Map<String, JmhResult> results = new LinkedHashMap<>();
    for (int i = 2; i < args.length; i++) {
      for (JmhResult result : JmhResult.parse(Files.readString(Path.of(args[i])))) {
        results.put(result.name(), result);
      }
    }
    String report = report(results, machine(), args[1], LocalDate.now(ZoneOffset.UTC));
    Files.createDirectories(Path.of(args[0]).toAbsolutePath().getParent());
    Files.writeString(Path.of(args[0]), report);
    System.out.println(report);
  }

  static String report(
      Map<String, JmhResult> results, String machine, String command, LocalDate date) {
    var text = new StringBuilder();
    text.append("# Benchmarks of ").append(date).append("\n\n");
    text.append("Machine: ").append(machine).append("  \n");
    text.append("Command: `").append(command).append("`  \n");
    text.append("Nanoseconds per operation and thread. Ratios compare the fastest iterations, ");
    text.append("which other load on the machine disturbed least; mean and 99.9 % interval are ");
    text.append("below.\n\n");
    text.append("## Bars\n\n");
    text.append("| bar | ours | against | ratio | at most | |\n|---|---|---|---|---|---|\n");
    for (Bar bar : Bars.ALL) {
      if (ran(results, bar.ours())) {
        text.append(bar.line(results)).append('\n');
      }
    }
    text.append("\n| allocates at most | bytes | B/op | |\n|---|---|---|---|\n");
    Bars.ALLOCATE_NOTHING.forEach(name -> allocation(results, name, 0, text));
    Bars.ALLOCATE_AT_MOST.forEach((name, most) -> allocation(results, name, most, text));
    text.append("\n## Figures\n\n");
    text.append("| benchmark/threads | least | mean | +/- | B/op |\n|---|---|---|---|---|\n");
    for (JmhResult result : results.values()) {
      text.append("| `").append(result.name()).append("` | ").append(number(result.least()));
      text.append(" | ").append(number(result.nanos()));
      text.append(" | ").append(number(result.error())).append(" | ");
      text.append(number(result.bytesPerOperation())).append(" |\n");
    }
    return text.toString();
  }

  /** Returns whether any benchmark of the class was run; others are left out of the report. */
  private static boolean ran(Map<String, JmhResult> results, String name) {
    String benchmark = name.substring(0, name.indexOf('.') + 1);
    return results.keySet().stream().anyMatch(result -> result.startsWith(benchmark));
  }

  /** Writes the lines of a benchmark, one per set of parameters; none if its class did not run. */
  private static void allocation(
      Map<String, JmhResult> results, String name, int most, StringBuilder text) {
    if (!ran(results, name)) {
      return;
    }
    var lines =
        results.values().stream()
            .filter(result -> result.name().equals(name) || result.name().startsWith(name + " "))
            .map(
                result ->
                    String.format(
                        Locale.ROOT,
                        "| `%s` | %d | %s | %s |\n",
                        result.name(),
                        most,
                        number(result.bytesPerOperation()),
                        // The profiler's own few bytes are divided by millions of operations.
                        result.bytesPerOperation() < most + 0.01 ? "pass" : "**FAIL**"))
            .toList();
    text.append(lines.isEmpty() ? "| `" + name + "` | | | not run |\n" : String.join("", lines));
  }

  /** Returns the processor, system and Java of the run. */
  public static String machine() throws IOException {
    Path cpus = Path.of("/proc/cpuinfo");
    String model = "unknown processor";
    if (Files.isReadable(cpus)) {
      try (Stream<String> lines = Files.lines(cpus)) {
        model =
            lines
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(model);
      }
    }
    return String.format(
        Locale.ROOT,
        "%s, %d processors, %s %s, %s %s",
        model,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"));
  }
}
