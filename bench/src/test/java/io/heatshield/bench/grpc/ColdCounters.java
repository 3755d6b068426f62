package io.heatshield.bench.grpc;

import io.heatshield.action.Mode;
import io.heatshield.bench.ServerProcess;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * What the coalescer costs counters that are cold: one door whose mode is switched while the same
 * callers go on asking, in slices so short that all modes have the same machine, and in an order
 * that is drawn anew for each turn. Off comes twice in a turn, as its own control.
 */
final class ColdCounters {
  private static final List<Mode> MODES = List.of(Mode.OFF, Mode.ENFORCE, Mode.OFF);
  private static final List<String> NAMES =
      List.of("coalescer off", "coalescer on", "off once more, the control");
  private static final List<ToDoubleFunction<Slices.Slice>> PARTS =
      List.of(
          Slices.Slice::perSecond, Slices.Slice::door, Slices.Slice::three, Slices.Slice::machine);
  private static final double MOST = 1.03;
  private static final Duration SLICE = Duration.ofMillis(100);

  /** What was asked in the mode before is answered by then. */
  private static final Duration SETTLE = Duration.ofMillis(10);

  private static final int TURNS_OF_WARM_UP = 5;

  private final RedisFixture redis;
  private final int turns;
  private final Random random = new Random(1);

  /**
   * Creates the figure.
   *
   * @param measured how long each mode is measured with each of the doors
   */
  ColdCounters(RedisFixture redis, Duration measured) {
    this.redis = redis;
    this.turns = (int) Math.max(2, measured.dividedBy(SLICE));
  }

  /** Measures so many doors, one after the other, and returns the report. */
  String measure(int doors, WarmUp warmUp) throws IOException {
    List<List<Slices>> each = new ArrayList<>();
    for (int i = 0; i < doors; i++) {
      try (ServerProcess door = open();
          var load = new GrpcLoad(door, RedisLoadBenchmark.CONNECTIONS)) {
        load.start(Scenario.VARIABLE, RedisLoadBenchmark.CALLERS, Duration.ZERO);
        warmUp.run(List.of(door), round -> turns(TURNS_OF_WARM_UP, door, load));
        each.add(turns(turns, door, load));
      }
    }
    return report(each);
  }

  /** A coalescer that is on for a third of the time halves its counts a third as often. */
  private ServerProcess open() throws IOException {
    Duration decay = LimitDoors.DECAY.multipliedBy(MODES.size());
    return LimitDoors.redis(
        redis.uri(),
        Mode.OFF,
        LimitDoors.settings(RedisLoadBenchmark.WINDOW, decay),
        RedisLoadBenchmark.LONG_BUDGET,
        false);
  }

  private List<Slices> turns(int count, ServerProcess door, GrpcLoad load) {
    List<Slices> slices = modes();
    List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
    for (int turn = 0; turn < count; turn++) {
      Collections.shuffle(order, random);
      for (int mode : order) {
        door.ask("mode " + MODES.get(mode));
        GrpcLoad.pause(SETTLE);
        slices.get(mode).add(slice(door, load));
      }
    }
    return slices;
  }

  private Slices.Slice slice(ServerProcess door, GrpcLoad load) {
    Duration machine = ServerProcess.machineCpu();
    Duration ofDoor = door.cpu();
    Duration others = others();
    long answers = load.answers();
    long start = System.nanoTime();
    GrpcLoad.pause(SLICE);
    double count = load.answers() - answers;
    double seconds = (System.nanoTime() - start) / 1e9;
    double doorMicros = micros(ofDoor, door.cpu());
    double threeMicros = doorMicros + micros(others, others());
    return new Slices.Slice(
        count / seconds,
        doorMicros / count,
        threeMicros / count,
        micros(machine, ServerProcess.machineCpu()) / count);
  }

  private Duration others() {
    return ServerProcess.cpu(redis.pid()).plus(ServerProcess.cpu(ProcessHandle.current().pid()));
  }

  private static double micros(Duration from, Duration to) {
    return to.minus(from).toNanos() / 1e3;
  }

  private static List<Slices> modes() {
    return List.of(new Slices(), new Slices(), new Slices());
  }

  private static String report(List<List<Slices>> each) {
    List<Slices> all = modes();
    each.forEach(
        slices -> {
          for (int mode = 0; mode < all.size(); mode++) {
            all.get(mode).addAll(slices.get(mode));
          }
        });
    var report = new StringBuilder("\n## A hundred thousand cold counters (variable)\n\n");
    report.append(
        String.format(
            Locale.ROOT,
            "One door whose mode is switched, %d slices of %d ms for each mode in an order that is"
                + " drawn, over %d doors one after the other; means.%n%n",
            all.get(0).size(),
            SLICE.toMillis(),
            each.size()));
    report.append("| mode | calls/s | CPU us per call: door | door, callers, Redis | machine |\n");
    report.append("|---|---:|---:|---:|---:|\n");
    for (int mode = 0; mode < all.size(); mode++) {
      Slices slices = all.get(mode);
      report.append(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.2f | %.2f | %.2f |%n",
              NAMES.get(mode),
              slices.mean(Slices.Slice::perSecond),
              slices.mean(Slices.Slice::door),
              slices.mean(Slices.Slice::three),
              slices.mean(Slices.Slice::machine)));
    }
    Slices off = between(all);
    report.append("\n| of means, +/- standard error | calls/s | door | three | machine |\n");
    report.append("|---|---:|---:|---:|---:|\n");
    ratios(report, "on / mean of both that are off", all.get(1), off);
    ratios(report, "control / off", all.get(2), all.get(0));
    report.append("\n| bar, with two standard errors to spare | measured | |\n|---|---:|---|\n");
    Slices.Ratio cost = all.get(1).to(off, Slices.Slice::three);
    bar(
        report,
        "on costs at most 1.03 of off: processor time of door, callers and Redis per call",
        cost,
        cost.value() + 2 * cost.error() <= MOST);
    Slices.Ratio rate = all.get(1).to(off, Slices.Slice::perSecond);
    bar(
        report,
        "calls/s of on at least 1 / 1.03 of off",
        rate,
        rate.value() - 2 * rate.error() >= 1 / MOST);
    report.append("\nEach door by itself, processor time of the three, on / off:");
    each.forEach(door -> number(report, door.get(1).to(between(door), Slices.Slice::three)));
    report.append("; control / off:");
    each.forEach(door -> number(report, door.get(2).to(door.get(0), Slices.Slice::three)));
    return report.append(".\n").toString();
  }

  private static Slices between(List<Slices> door) {
    return Slices.between(door.get(0), door.get(2));
  }

  private static void number(StringBuilder report, Slices.Ratio ratio) {
    report.append(String.format(Locale.ROOT, " %.3f", ratio.value()));
  }

  private static void ratios(StringBuilder report, String name, Slices one, Slices other) {
    report.append("| ").append(name);
    for (ToDoubleFunction<Slices.Slice> part : PARTS) {
      report.append(" | ").append(one.to(other, part));
    }
    report.append(" |\n");
  }

  private static void bar(StringBuilder report, String text, Slices.Ratio value, boolean holds) {
    report.append("| ").append(text).append(" | ").append(value).append(" | ");
    report.append(RedisLoadBenchmark.outcome(holds)).append(" |\n");
  }
}
