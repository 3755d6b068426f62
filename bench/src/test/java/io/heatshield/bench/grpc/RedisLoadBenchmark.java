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
 * Calls per second through the rate-limit door whose counters live in one real Redis, with the
 * coalescer off, observing and on, in turns and in one process; what Redis itself counted; and how
 * long answers take when it is stopped.
 *
 * <p>Called as {@code RedisLoadBenchmark OUT.md COMMAND SECONDS ROUNDS [FIGURE...]}.
 */
public final class RedisLoadBenchmark {
  private static final int CALLERS = 100;
  private static final int FEW_CALLERS = 4;
  private static final int CONNECTIONS = 10;
  private static final Duration WARM_UP = Duration.ofMillis(500);

  /** Rounds that are not counted: with two processors a compiler at work is a third of the load. */
  private static final int WARM_UPS = 8;

  /**
   * The most of them. What runs once for a flight is compiled after so many flights only, so a door
   * with the coalescer on is warm later than one whose every method runs for every call.
   */
  private static final int MOST_WARM_UPS = 24;

  /** The part of a round that compilers may take, all of them together, once all doors are warm. */
  private static final double COMPILING = 0.03;

  /**
   * How often the doors of one figure are made anew: processes that are equal differ by a fifth.
   */
  private static final int GENERATIONS = 5;

  private static final Duration WINDOW = Duration.ofNanos(300_000);
  private static final Duration LONG_BUDGET = Duration.ofSeconds(1);
  private static final Duration OPENING = Duration.ofMillis(200);
  private static final Pattern INCRBY = Pattern.compile("cmdstat_incrby:calls=([0-9]+)");

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("fixed", RedisLoadBenchmark::fixed),
          new Figure("calls", RedisLoadBenchmark::calls),
          new Figure("variable", RedisLoadBenchmark::variable),
          new Figure("stopped", RedisLoadBenchmark::stopped));

  private final RedisFixture redis;
  private final Duration measured;
  private final int rounds;
  private final StringBuilder report;
  private final List<Integer> warmUps = new ArrayList<>();

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
        .append("`  \n100 callers over 10 connections; callers and each door a process of its own")
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
      report.append("\nRounds that warmed up, until compilers rested: ").append(run.warmUps);
      report.append("; ").append(MOST_WARM_UPS).append(" at most.\n");
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
                    LimitDoors.memory(),
                    redisDoor(Mode.OFF),
                    redisDoor(Mode.OBSERVE),
                    redisDoor(Mode.ENFORCE)));
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
    each.forEach(doors -> number(" %.2f", doors.get(3).ratio(doors.get(0))));
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
      try (var on = LimitDoors.redis(redis.uri(), Mode.ENFORCE, window, LONG_BUDGET, false)) {
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

  /**
   * What a cold counter costs is told by processor time per call: calls per second of two doors
   * that differ by a hundredth swing by a tenth from round to round. The control is off too.
   */
  private void variable() throws IOException {
    report.append("\n## A hundred thousand cold counters (variable)\n\n");
    List<List<Runs>> each =
        generations(
            Scenario.VARIABLE,
            () -> List.of(redisDoor(Mode.OFF), redisDoor(Mode.ENFORCE), redisDoor(Mode.OFF)));
    List<Runs> all = Runs.together(each);
    costHead();
    costRow("Redis, coalescer off", all.get(0));
    costRow("Redis, coalescer on", all.get(1));
    costRow("Redis, another that is off", all.get(2));
    double cost = all.get(1).costRatio(all.get(0));
    bars();
    bar(
        "on costs at most 1.03 of off: processor time per call",
        String.format(Locale.ROOT, "%.3f", cost),
        cost <= 1.03);
    report.append(
        String.format(
            Locale.ROOT,
            "%nThe control: %.3f of off, on %.3f of the control; calls/s of on / off: %.2f.%n",
            all.get(2).costRatio(all.get(0)),
            all.get(1).costRatio(all.get(2)),
            all.get(1).ratio(all.get(0))));
    report.append("\nEach time with new processes, processor time of on / off:");
    each.forEach(doors -> number(" %.2f", doors.get(1).costRatio(doors.get(0))));
    report.append("; of the control / off:");
    each.forEach(doors -> number(" %.2f", doors.get(2).costRatio(doors.get(0))));
    report.append(".\n");
  }

  /**
   * Asks by a few callers, so that an answer waits for Redis and not for other answers, and asks a
   * door without Redis in turns, whose answers show what this machine does to any. The first rounds
   * only warm up what answers without Redis.
   */
  private void stopped() throws IOException {
    report.append("\n## Redis stopped (SIGSTOP), time budget 10 ms, on_failure local\n\n");
    report.append("| from the stop on | answers | p50 ms | p99 ms | p99.9 ms | below | |\n");
    report.append("|---|---:|---:|---:|---:|---:|---|\n");
    var opening = new Latencies();
    var open = new Latencies();
    var never = new Latencies();
    try (var door =
            LimitDoors.redis(redis.uri(), Mode.ENFORCE, WINDOW, Duration.ofMillis(10), true);
        var memory = LimitDoors.memory()) {
      for (int round = -WARM_UPS; round < rounds; round++) {
        var first = new Latencies();
        var later = new Latencies();
        var without = new Latencies();
        stopRedis(door, round < 0 ? "warm " : "", first, later);
        try (var load = new GrpcLoad(memory, FEW_CALLERS)) {
          load.run(Scenario.FIXED, FEW_CALLERS, WARM_UP, measured);
          without.addAll(load.latencies());
        }
        if (round >= 0) {
          opening.addAll(first);
          open.addAll(later);
          never.addAll(without);
        }
      }
      stoppedRow("0 to 200 ms", opening, 15);
      stoppedRow("later", open, 1);
      stoppedRow("the same callers at a door without Redis", never, 0);
      report.append("| in the door, 0 to 200 ms | ").append(door.ask("cells first"));
      report.append(" | 15 | ").append(outcome(below(door.ask("cells first"), 15))).append(" |\n");
      report.append("| in the door, later | ").append(door.ask("cells later"));
      report.append(" | 1 | ").append(outcome(below(door.ask("cells later"), 1))).append(" |\n");
      report.append("\nCounts answered without Redis: ").append(door.ask("degraded")).append("\n");
    }
  }

  private void stopRedis(ServerProcess door, String prefix, Latencies first, Latencies later) {
    door.ask("up");
    try (var load = new GrpcLoad(door, FEW_CALLERS)) {
      load.run(Scenario.FIXED, FEW_CALLERS, WARM_UP, WARM_UP);
      load.latencies();
      door.ask("phase " + prefix + "first");
      redis.pause();
      GrpcLoad.pause(OPENING);
      first.addAll(load.latencies());
      door.ask("phase " + prefix + "later");
      GrpcLoad.pause(measured);
      door.ask("phase other");
      later.addAll(load.latencies());
    } finally {
      redis.resume();
    }
  }

  /** Returns whether the last of some cells is below so many milliseconds. */
  private static boolean below(String cells, double most) {
    return Double.parseDouble(cells.substring(cells.lastIndexOf('|') + 1)) < most;
  }

  /** Appends a row; with a bar of 0 one that is there to compare. */
  private void stoppedRow(String phase, Latencies latencies, double most) {
    String bar =
        most == 0
            ? " | "
            : String.format(
                Locale.ROOT, "%.0f | %s", most, outcome(latencies.millis(0.999) < most));
    report.append(
        String.format(
            Locale.ROOT,
            "| %s | %d | %.2f | %.2f | %.2f | %s |%n",
            phase,
            latencies.size(),
            latencies.millis(0.5),
            latencies.millis(0.99),
            latencies.millis(0.999),
            bar));
  }

  private void number(String format, double value) {
    report.append(String.format(Locale.ROOT, format, value));
  }

  private ServerProcess redisDoor(Mode mode) throws IOException {
    return LimitDoors.redis(redis.uri(), mode, WINDOW, LONG_BUDGET, false);
  }

  /** Returns what doors did that were made anew as often as it takes. */
  private List<List<Runs>> generations(Scenario scenario, Doors made) throws IOException {
    var each = new ArrayList<List<Runs>>();
    for (int generation = 0; generation < GENERATIONS; generation++) {
      List<ServerProcess> doors = made.open();
      try {
        each.add(inTurns(scenario, doors));
      } finally {
        doors.forEach(ServerProcess::close);
      }
    }
    return each;
  }

  /**
   * Measures each door once in every round, every other time in the opposite order; the first
   * rounds only warm up, until compilers rest.
   */
  private List<Runs> inTurns(Scenario scenario, List<ServerProcess> doors) {
    warmUp(scenario, doors);
    List<Runs> all = doors.stream().map(door -> new Runs()).toList();
    for (int round = 0; round < rounds; round++) {
      round(scenario, doors, round, all);
    }
    return all;
  }

  private void warmUp(Scenario scenario, List<ServerProcess> doors) {
    List<Runs> notCounted = doors.stream().map(door -> new Runs()).toList();
    int done = 0;
    double compiling = 1;
    while (done < WARM_UPS || (compiling > COMPILING && done < MOST_WARM_UPS)) {
      Duration before = ServerProcess.compilers(doors);
      long start = System.nanoTime();
      round(scenario, doors, done++, notCounted);
      double took = System.nanoTime() - start;
      compiling = ServerProcess.compilers(doors).minus(before).toNanos() / took;
    }
    warmUps.add(done);
  }

  private void round(Scenario scenario, List<ServerProcess> doors, int round, List<Runs> all) {
    for (int turn = 0; turn < doors.size(); turn++) {
      int i = (round & 1) == 0 ? turn : doors.size() - 1 - turn;
      try (var load = new GrpcLoad(doors.get(i), CONNECTIONS)) {
        long before = incrbys();
        long start = System.nanoTime();
        GrpcLoad.Ran ran = load.run(scenario, CALLERS, WARM_UP, measured);
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
        "| door | calls/s | p50 ms | p99 ms | INCRBY/s | CPU us per call: machine | door |\n");
    report.append("|---|---:|---:|---:|---:|---:|---:|\n");
  }

  private void costRow(String door, Runs runs) {
    report.append(
        String.format(
            Locale.ROOT,
            "| %s | %.0f | %.2f | %.2f | %.0f | %.2f | %.2f |%n",
            door,
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

  private void bar(String text, String value, boolean holds) {
    report.append("| ").append(text).append(" | ").append(value).append(" | ");
    report.append(outcome(holds)).append(" |\n");
  }

  private static String outcome(boolean holds) {
    return holds ? "pass" : "**FAIL**";
  }

  /** What is measured, by the name that it is asked for. */
  private record Figure(String name, Measured measured) {}

  private interface Measured {
    void of(RedisLoadBenchmark run) throws IOException;
  }

  /** Starts the doors of one generation. */
  private interface Doors {
    List<ServerProcess> open() throws IOException;
  }
}
