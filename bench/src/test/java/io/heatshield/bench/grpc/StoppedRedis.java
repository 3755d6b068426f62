package io.heatshield.bench.grpc;

import io.heatshield.action.Mode;
import io.heatshield.bench.ServerProcess;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The latency of answers while Redis is stopped, for callers at an interval that leaves the machine
 * idle most of the time, or for a few callers without a pause.
 *
 * <p>The same callers alternate with a port without Redis: its latencies are those of the machine.
 * Latencies of callers at an interval are measured from when a request was sent, and from when it
 * was due, which includes the delay of the callers' own thread.
 */
final class StoppedRedis {
  private static final Duration BUDGET = Duration.ofMillis(10);
  private static final Duration OPENING = Duration.ofMillis(200);
  private static final Duration BEFORE = Duration.ofSeconds(1);

  private static final int FASTER = 25;

  private final RedisFixture redis;
  private final Duration measured;
  private final int callers;
  private final Duration every;
  private final StringBuilder report = new StringBuilder();
  private final Phase opening = new Phase();
  private final Phase open = new Phase();
  private final Phase never = new Phase();

  /**
   * Creates a figure.
   *
   * @param measured the measured time in each round, at each of the ports
   * @param every the time between two requests of a caller; zero for no pause
   */
  StoppedRedis(RedisFixture redis, Duration measured, int callers, Duration every) {
    this.redis = redis;
    this.measured = measured;
    this.callers = callers;
    this.every = every;
  }

  /** Measures in a number of rounds and returns the report. */
  String measure(int rounds, WarmUp warmUp) throws IOException {
    try (var port =
            LimitPorts.redis(
                redis.uri(),
                Mode.ENFORCE,
                LimitPorts.settings(RedisLoadBenchmark.WINDOW, LimitPorts.DECAY),
                BUDGET,
                true);
        var memory = LimitPorts.memory()) {
      warmUp.run(List.of(port, memory), round -> round(port, memory, false));
      for (int round = 0; round < rounds; round++) {
        round(port, memory, true);
      }
      head();
      row("0 to 200 ms", opening, 15);
      row("later", open, 1);
      row("the same callers at a port without Redis", never, 0);
      inPort("in the port, 0 to 200 ms", port.ask("cells first"), 15);
      inPort("in the port, later", port.ask("cells later"), 1);
      report.append("\nCounts answered without Redis: ").append(port.ask("degraded"));
      report.append(". ").append(open.line("Later")).append(never.line("Without Redis"));
      report.append('\n');
      return report.toString();
    }
  }

  private void round(ServerProcess port, ServerProcess memory, boolean counts) {
    stopped(port, counts);
    try (var load = start(memory, counts)) {
      never.take(memory, load, measured, counts);
    }
  }

  private void stopped(ServerProcess port, boolean counts) {
    port.ask("up");
    String prefix = counts ? "" : "warm ";
    try (var load = start(port, counts)) {
      port.ask("phase " + prefix + "first");
      redis.pause();
      opening.take(port, load, OPENING, counts);
      port.ask("phase " + prefix + "later");
      open.take(port, load, measured, counts);
      port.ask("phase other");
    } finally {
      redis.resume();
    }
  }

  /**
   * The warm-up has shorter intervals, because compilers need many calls; the callers' garbage is
   * collected before each measurement.
   */
  private GrpcLoad start(ServerProcess port, boolean counts) {
    var load = new GrpcLoad(port, Math.min(callers, RedisLoadBenchmark.CONNECTIONS));
    load.start(Scenario.FIXED, callers, counts ? every : every.dividedBy(FASTER));
    System.gc();
    GrpcLoad.pause(BEFORE);
    load.latencies();
    load.sinceDue();
    return load;
  }

  private void head() {
    report.append("\n### ").append(callers).append(" callers, ");
    report.append(every.isZero() ? "no rest" : "each asks every " + every.toMillis() + " ms");
    report.append("\n\n| from the stop on | answers | p50 ms | p99 ms | p99.9 ms |");
    report.append(
        " p99.9 from when it was due | below | |\n|---|---:|---:|---:|---:|---:|---:|---|\n");
  }

  /** Appends a row; a bar of 0 means a row for comparison only. */
  private void row(String name, Phase phase, double most) {
    Latencies all = phase.latencies;
    double last = all.millis(0.999);
    report.append(
        String.format(
            Locale.ROOT,
            "| %s | %d | %.2f | %.2f | %.2f | %s | %s |%n",
            name,
            all.size(),
            all.millis(0.5),
            all.millis(0.99),
            last,
            every.isZero() ? "" : String.format(Locale.ROOT, "%.2f", phase.sinceDue.millis(0.999)),
            most == 0 ? " | " : bar(last, most)));
  }

  private void inPort(String name, String cells, double most) {
    double last = Double.parseDouble(cells.substring(cells.lastIndexOf('|') + 1));
    report.append("| ").append(name).append(" | ").append(cells).append(" | | ");
    report.append(bar(last, most)).append(" |\n");
  }

  private static String bar(double value, double most) {
    return (int) most + " | " + RedisLoadBenchmark.outcome(value < most);
  }

  /** The results of all rounds in one state of Redis. */
  private static final class Phase {
    private final Latencies latencies = new Latencies();
    private final Latencies sinceDue = new Latencies();
    private double seconds;
    private double busy;
    private double ours;

    void take(ServerProcess port, GrpcLoad load, Duration measured, boolean counts) {
      Duration machine = ServerProcess.machineCpu();
      Duration both = both(port);
      long start = System.nanoTime();
      GrpcLoad.pause(measured);
      Latencies taken = load.latencies();
      Latencies sent = load.sinceDue();
      if (counts) {
        latencies.addAll(taken);
        sinceDue.addAll(sent);
        seconds += (System.nanoTime() - start) / 1e9;
        busy += ServerProcess.machineCpu().minus(machine).toNanos() / 1e9;
        ours += both(port).minus(both).toNanos() / 1e9;
      }
    }

    /** Returns a line with the rate and the load of the machine. */
    String line(String name) {
      double all = seconds * Runtime.getRuntime().availableProcessors() / 100;
      return String.format(
          Locale.ROOT,
          "%s %.0f calls/s, the machine busy for %.0f %% of the time, with port and callers for"
              + " %.0f %%. ",
          name,
          latencies.size() / seconds,
          busy / all,
          ours / all);
    }

    private static Duration both(ServerProcess port) {
      return port.cpu().plus(ServerProcess.cpu(ProcessHandle.current().pid()));
    }
  }
}
