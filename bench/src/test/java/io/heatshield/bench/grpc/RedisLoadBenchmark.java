package io.heatshield.bench.grpc;

import io.heatshield.action.Mode;
import io.heatshield.bench.Ratios;
import io.heatshield.bench.ServerProcess;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls per second through the rate-limit port whose counters live in one real Redis, with the
 * coalescer off, observing and on, in turns and in one process; what Redis itself counted; and how
 * long answers take when it is stopped.
 *
 * <p>Called as {@code RedisLoadBenchmark OUT.md COMMAND SECONDS ROUNDS [FIGURE...]}.
 */
public final class RedisLoadBenchmark {
  static final int CALLERS = 100;
  private static final int FEW_CALLERS = 4;
  static final int CONNECTIONS = 10;
  private static final Duration WARM_UP = Duration.ofMillis(500);

  /**
   * The number of processes per figure: equal processes differ by a fifth. {@code -Dredis.ports}
   * changes it.
   */
  private static final int GENERATIONS = Integer.getInteger("redis.ports", 5);

  static final Duration WINDOW = Duration.ofNanos(300_000);
  static final Duration LONG_BUDGET = Duration.ofSeconds(1);

  /** An interval of callers that leaves two processors idle most of the time. */
  private static final Duration PACE = Duration.ofMillis(50);

  private static final Pattern INCRBY = Pattern.compile("cmdstat_incrby:calls=([0-9]+)");

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("fixed", RedisLoadBenchmark::fixed),
          new Figure("ceiling", RedisLoadBenchmark::ceiling),
          new Figure("calls", RedisLoadBenchmark::calls),
          new Figure("variable", RedisLoadBenchmark::variable),
          new Figure("stopped", RedisLoadBenchmark::stopped));

  private final RedisFixture redis;
  private final Duration measured;
  private final int rounds;
  private final StringBuilder report;
  private final WarmUp warmUp = new WarmUp();

  private RedisLoadBenchmark(
      RedisFixture redis, Duration measured, int rounds, StringBuilder report) {
    this.redis = redis;
    this.measured = measured;
    this.rounds = rounds;
    this.report = report;
  }

  /** Runs everything, writes the report and prints it. */
  public static void main(String[] args) throws IOException {
    if (args.length < 4) {
      throw new IllegalArgumentException(
          "arguments must be OUT.md COMMAND SECONDS ROUNDS [FIGURE...]");
    }
    List<String> asked = List.of(args).subList(4, args.length);
    int rounds = Integer.parseInt(args[3]);
    var report = new StringBuilder();
    report
        .append("# Calls over gRPC with counters in Redis, ")
        .append(LocalDate.now(ZoneOffset.UTC))
        .append("\n\nMachine: ")
        .append(Ratios.machine())
        .append("  \nCommand: `")
        .append(args[1])
        .append("`  \n100 callers over 10 connections; callers and each port a process of its own")
        .append(" with one event loop, Redis 7.0.15 beside them; medians of ")
        .append(rounds)
        .append(" rounds, in turns.\n");
    try (RedisFixture redis = RedisFixture.start("save \"\"")) {
      var run =
          new RedisLoadBenchmark(
              redis, Duration.ofSeconds(Integer.parseInt(args[2])), rounds, report);
      for (Figure figure : FIGURES) {
        if (asked.isEmpty() || asked.contains(figure.name())) {
          figure.measured().of(run);
        }
      }
      report.append("\n").append(run.warmUp).append("\n");
    }
    Files.createDirectories(Path.of(args[0]).toAbsolutePath().getParent());
    Files.writeString(Path.of(args[0]), report);
    System.out.println(report);
  }

  private void fixed() throws IOException {
    report.append("\n## One hot counter (fixed)\n\n");
    List<List<Runs>> each =
        generations(
            Scenario.FIXED,
            () ->
                List.of(
                    LimitPorts.memory(),
                    redisPort(Mode.OFF),
                    redisPort(Mode.OBSERVE),
                    redisPort(Mode.ENFORCE)));
    List<Runs> all = Runs.together(each);
    costHead();
    costRow("memory", all.get(0));
    costRow("Redis, coalescer off", all.get(1));
    costRow("Redis, observe", all.get(2));
    costRow("Redis, coalescer on", all.get(3));
    double gain = all.get(3).ratio(all.get(1));
    double ofCeiling = all.get(3).ratio(all.get(0));
    bars();
    bar(
        "on / off at least 3.00, or on / memory at least 0.85",
        String.format(Locale.ROOT, "%.2f, %.2f", gain, ofCeiling),
        gain >= 3 || ofCeiling >= 0.85);
    bar(
        "p99 of on at most that of off",
        String.format(Locale.ROOT, "%.2f of %.2f ms", all.get(3).p99(), all.get(1).p99()),
        all.get(3).p99() <= all.get(1).p99());
    report.append("\nEach time with new processes, on / memory:");
    each.forEach(ports -> number(" %.2f", ports.get(3).ratio(ports.get(0))));
    report.append(
        String.format(
            Locale.ROOT,
            "; the machine's processor time for a call, on / memory: %.2f.%n",
            all.get(3).costRatio(all.get(0))));
  }

  private void calls() throws IOException {
    report.append("\n## What Redis counted for the hot counter\n\n");
    report.append("| flush window | calls/s | INCRBY/s | at most | |\n|---|---:|---:|---:|---|\n");
    for (Duration window : List.of(WINDOW, Duration.ofMillis(1), Duration.ofMillis(5))) {
      try (var on = redisPort(Mode.ENFORCE, window)) {
        Runs runs = inTurns(Scenario.FIXED, List.of(on)).get(0);
        double most = 1.1e9 / window.toNanos();
        report.append(
            String.format(
                Locale.ROOT,
                "| %d us | %.0f | %.0f | %.0f | %s |%n",
                window.toNanos() / 1000,
                runs.rate(),
                runs.incrbys(),
                most,
                outcome(runs.incrbys() <= most)));
      }
    }
  }

  /** The maximum rate of the hot counter, measured again within one process. */
  private void ceiling() throws IOException {
    report.append("\n## One hot counter, counted in memory and in Redis with the coalescer on\n\n");
    var port =
        new SwitchedPort(
            redis,
            Scenario.FIXED,
            new SwitchedPort.Way("memory", "count memory"),
            new SwitchedPort.Way("Redis, coalescer on", "count redis"));
    port.measure(GENERATIONS, measured.multipliedBy(rounds), warmUp);
    report.append(port.tables());
    barsOfRatios();
    Slices.Ratio rate = port.ratio(Slices.Measure.RATE);
    bar("on / memory at least 0.85", rate, rate.least() >= 0.85);
    report.append(port.eachBy(Slices.Measure.RATE));
  }

  private void variable() throws IOException {
    report.append("\n## A hundred thousand cold counters (variable)\n\n");
    var port =
        new SwitchedPort(
            redis,
            Scenario.VARIABLE,
            new SwitchedPort.Way("coalescer off", "mode OFF"),
            new SwitchedPort.Way("coalescer on", "mode ENFORCE"));
    port.measure(GENERATIONS, measured.multipliedBy(rounds), warmUp);
    report.append(port.tables());
    barsOfRatios();
    Slices.Ratio cost = port.ratio(Slices.Measure.THREE);
    bar("on costs at most 1.03 of off: processor time of the three", cost, cost.most() <= 1.03);
    Slices.Ratio rate = port.ratio(Slices.Measure.RATE);
    bar("calls/s of on at least 1 / 1.03 of off", rate, rate.least() >= 1 / 1.03);
    report.append(port.eachBy(Slices.Measure.THREE));
  }

  private void stopped() throws IOException {
    report.append("\n## Redis stopped (SIGSTOP), time budget 10 ms, on_failure local\n");
    report.append(new StoppedRedis(redis, measured, CALLERS, PACE).measure(rounds, warmUp));
    report.append(
        new StoppedRedis(redis, measured, FEW_CALLERS, Duration.ZERO).measure(rounds, warmUp));
  }

  private void number(String format, double value) {
    report.append(String.format(Locale.ROOT, format, value));
  }

  private ServerProcess redisPort(Mode mode) throws IOException {
    return redisPort(mode, WINDOW);
  }

  private ServerProcess redisPort(Mode mode, Duration window) throws IOException {
    return LimitPorts.redis(
        redis.uri(), mode, LimitPorts.settings(window, LimitPorts.DECAY), LONG_BUDGET, false);
  }

  /** Returns the runs of ports over several generations of processes. */
  private List<List<Runs>> generations(Scenario scenario, Ports made) throws IOException {
    var each = new ArrayList<List<Runs>>();
    for (int generation = 0; generation < GENERATIONS; generation++) {
      List<ServerProcess> ports = made.open();
      try {
        each.add(inTurns(scenario, ports));
      } finally {
        ports.forEach(ServerProcess::close);
      }
    }
    return each;
  }

  /**
   * Measures each port once in every round, in alternating order; the first rounds warm up until
   * the compilers are idle.
   */
  private List<Runs> inTurns(Scenario scenario, List<ServerProcess> ports) {
    List<Runs> notCounted = ports.stream().map(port -> new Runs()).toList();
    warmUp.run(ports, round -> round(scenario, ports, round, notCounted));
    List<Runs> all = ports.stream().map(port -> new Runs()).toList();
    for (int round = 0; round < rounds; round++) {
      round(scenario, ports, round, all);
    }
    return all;
  }

  private void round(Scenario scenario, List<ServerProcess> ports, int round, List<Runs> all) {
    for (int turn = 0; turn < ports.size(); turn++) {
      int i = (round & 1) == 0 ? turn : ports.size() - 1 - turn;
      try (var load = new GrpcLoad(ports.get(i), CONNECTIONS)) {
        long before = incrbys();
        long start = System.nanoTime();
        GrpcLoad.Result ran = load.run(scenario, CALLERS, WARM_UP, measured);
        double calls = (incrbys() - before) * 1e9 / (System.nanoTime() - start);
        all.get(i).add(ran, calls, load.latencies());
      }
    }
  }

  private long incrbys() {
    Matcher calls = INCRBY.matcher(redis.command("INFO", "commandstats"));
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  private void costHead() {
    report.append(
        "| port | calls/s | p50 ms | p99 ms | INCRBY/s | CPU us per call: machine | port |\n");
    report.append("|---|---:|---:|---:|---:|---:|---:|\n");
  }

  private void costRow(String port, Runs runs) {
    report.append(
        String.format(
            Locale.ROOT,
            "| %s | %.0f | %.2f | %.2f | %.0f | %.2f | %.2f |%n",
            port,
            runs.rate(),
            runs.p50(),
            runs.p99(),
            runs.incrbys(),
            runs.machineCpu(),
            runs.cpu()));
  }

  private void bars() {
    report.append("\n| bar | measured | |\n|---|---:|---|\n");
  }

  private void barsOfRatios() {
    report.append("\n| bar, with two standard errors to spare | measured | |\n|---|---:|---|\n");
  }

  private void bar(String text, Slices.Ratio ratio, boolean holds) {
    bar(text, ratio.toString(), holds);
  }

  private void bar(String text, String value, boolean holds) {
    report.append("| ").append(text).append(" | ").append(value).append(" | ");
    report.append(outcome(holds)).append(" |\n");
  }

  static String outcome(boolean holds) {
    return holds ? "pass" : "**FAIL**";
  }

  /** The figures, by name. */
  private record Figure(String name, Measured measured) {}

  private interface Measured {
    void of(RedisLoadBenchmark run) throws IOException;
  }

  /** Starts the processes of one generation. */
  private interface Ports {
    List<ServerProcess> open() throws IOException;
  }
}
