package io.heatshield.bench.grpc;

import io.heatshield.bench.Ratios;
import io.heatshield.bench.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;

/**
 * Calls per second of the rate-limit port and of an empty service, each in its own process,
 * alternating: 100 callers over 10 connections, in each scenario.
 *
 * <p>Called as {@code GrpcLoadBenchmark OUT.md COMMAND SECONDS ROUNDS [SCENARIO...]}.
 */
public final class GrpcLoadBenchmark {
  private static final int CALLERS = 100;
  private static final int CONNECTIONS = 10;
  private static final double BAR = 0.85;
  private static final Duration WARM_UP = Duration.ofMillis(500);

  /** Warm-up rounds: with two processors a running compiler is a third of the load. */
  private static final int WARM_UPS = 6;

  private GrpcLoadBenchmark() {}

  /** Runs the scenarios, writes the report and prints it. */
  public static void main(String[] args) throws IOException {
    if (args.length < 4) {
      throw new IllegalArgumentException(
          "arguments must be OUT.md COMMAND SECONDS ROUNDS [SCENARIO...]");
    }
    Duration measured = Duration.ofSeconds(Integer.parseInt(args[2]));
    int rounds = Integer.parseInt(args[3]);
    Scenario[] scenarios =
        args.length == 4
            ? Scenario.values()
            : Arrays.stream(args).skip(4).map(Scenario::of).toArray(Scenario[]::new);
    var report = new StringBuilder();
    report.append("# Calls over gRPC, ").append(LocalDate.now(ZoneOffset.UTC)).append("\n\n");
    report.append("Machine: ").append(Ratios.machine()).append("  \n");
    report.append("Command: `").append(args[1]).append("`  \n");
    report.append("Calls per second of 100 callers over 10 connections; callers and each port a");
    report.append(" process of its own with one event loop; medians of ").append(rounds);
    report.append(" rounds, in turns, and of the rounds' ratios. CPU is the port's, per call, to");
    report.append(" that of the empty service.\n\n");
    report.append("| scenario | our port | empty service | ratio | at least | | CPU |\n");
    report.append("|---|---:|---:|---:|---:|---|---:|\n");
    for (Scenario scenario : scenarios) {
      report.append(line(scenario, measured, rounds)).append('\n');
    }
    Files.createDirectories(Path.of(args[0]).toAbsolutePath().getParent());
    Files.writeString(Path.of(args[0]), report);
    System.out.println(report);
  }

  private static String line(Scenario scenario, Duration measured, int rounds) throws IOException {
    double[] ours = new double[rounds];
    double[] empty = new double[rounds];
    double[] ratios = new double[rounds];
    double[] costs = new double[rounds];
    try (ServerProcess port = LimitPorts.memory();
        ServerProcess rival = LimitPorts.empty()) {
      for (int round = -WARM_UPS; round < rounds; round++) {
        boolean first = (round & 1) == 0;
        GrpcLoad.Result one = ran(first ? port : rival, scenario, measured);
        GrpcLoad.Result other = ran(first ? rival : port, scenario, measured);
        if (round >= 0) {
          GrpcLoad.Result own = first ? one : other;
          GrpcLoad.Result control = first ? other : one;
          ours[round] = own.perSecond();
          empty[round] = control.perSecond();
          ratios[round] = own.perSecond() / control.perSecond();
          costs[round] = own.cpuMicros() / control.cpuMicros();
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.2f | %.2f | %s | %.2f |",
        scenario.label(),
        median(ours),
        median(empty),
        median(ratios),
        BAR,
        median(ratios) >= BAR ? "pass" : "**FAIL**",
        median(costs));
  }

  private static GrpcLoad.Result ran(ServerProcess port, Scenario scenario, Duration measured) {
    try (var load = new GrpcLoad(port, CONNECTIONS)) {
      return load.run(scenario, CALLERS, WARM_UP, measured);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
