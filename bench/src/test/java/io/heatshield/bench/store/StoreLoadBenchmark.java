package io.heatshield.bench.store;

import io.heatshield.bench.Ratios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The figures of guarded stores, each with the guard on and off, alternating in one process.
 *
 * <p>Called as {@code StoreLoadBenchmark OUT.md COMMAND KEYS SECONDS ROUNDS [FIGURE...]}.
 */
public final class StoreLoadBenchmark {
  private StoreLoadBenchmark() {}

  /** Runs the figures, writes the report and prints it. */
  public static void main(String[] args) throws Exception {
    if (args.length < 5) {
      throw new IllegalArgumentException(
          "arguments must be OUT.md COMMAND KEYS SECONDS ROUNDS [FIGURE...]");
    }
    var scale =
        new Scale(Integer.parseInt(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]));
    List<String> asked = List.of(args).subList(5, args.length);
    var report = new StringBuilder();
    report.append("# Guarded stores, ").append(LocalDate.now(ZoneOffset.UTC)).append("\n\n");
    report.append("Machine: ").append(Ratios.machine()).append("  \n");
    report.append("Command: `").append(args[1]).append("`  \n");
    report.append("Medians of ").append(scale.rounds()).append(" rounds of ");
    report.append(scale.seconds()).append(" s each, guard on and off in turns.\n\n");
    report.append(
        "| figure | what | guard on | guard off | bar | |\n|---|---|---:|---:|---|---|\n");
    for (Figure figure : Figure.all()) {
      if (asked.isEmpty() || asked.contains(figure.name())) {
        for (Figure.Row row : measured(figure, scale)) {
          report.append(row.line(figure.name())).append('\n');
          System.out.println(row.line(figure.name()));
        }
      }
    }
    Files.createDirectories(Path.of(args[0]).toAbsolutePath().getParent());
    Files.writeString(Path.of(args[0]), report);
    System.out.println(report);
  }

  private static List<Figure.Row> measured(Figure figure, Scale scale) throws IOException {
    Path folder = Files.createTempDirectory("heatshield-store");
    try {
      return figure.measure(scale, folder);
    } finally {
      Folders.delete(folder);
    }
  }
}
