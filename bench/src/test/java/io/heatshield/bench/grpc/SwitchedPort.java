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

/**
 * One port that is switched between two variants of counting while the same callers continue, in
 * time slices so short that both see the same load of the machine, and in a random order in each
 * turn. The first variant occurs twice in a turn, as its own control.
 */
final class SwitchedPort {
  private static final Duration SLICE = Duration.ofMillis(100);

  /** The time in which the pending calls of the previous variant are answered. */
  private static final Duration SETTLE = Duration.ofMillis(10);

  private static final int TURNS_OF_WARM_UP = 5;

  private final RedisFixture redis;
  private final Scenario scenario;
  private final List<Way> ways;
  private final Random random = new Random(1);
  private final List<List<Slices>> each = new ArrayList<>();

  SwitchedPort(RedisFixture redis, Scenario scenario, Way first, Way second) {
    this.redis = redis;
    this.scenario = scenario;
    this.ways = List.of(first, second, new Way(first.name() + ", the control", first.line()));
  }

  /**
   * Measures a number of ports, one after the other.
   *
   * @param measured the time for which each variant is measured with each of the ports
   */
  void measure(int ports, Duration measured, WarmUp warmUp) throws IOException {
    int turns = (int) Math.max(2, measured.dividedBy(SLICE));
    for (int i = 0; i < ports; i++) {
      try (ServerProcess port = open();
          var load = new GrpcLoad(port, RedisLoadBenchmark.CONNECTIONS)) {
        load.start(scenario, RedisLoadBenchmark.CALLERS, Duration.ZERO);
        warmUp.run(List.of(port), round -> turns(TURNS_OF_WARM_UP, port, load));
        each.add(turns(turns, port, load));
      }
    }
  }

  /** Returns the ratio of the second variant to both slices of the first. */
  Slices.Ratio ratio(Slices.Measure measure) {
    return ratio(together(), measure);
  }

  /** Returns the tables, without a bar. */
  String tables() {
    List<Slices> all = together();
    var report = new StringBuilder();
    report.append(
        String.format(
            Locale.ROOT,
            "One port that is switched, %d slices of %d ms for each way in an order that is drawn,"
                + " over %d ports one after the other.%n%n",
            all.get(0).size(),
            SLICE.toMillis(),
            each.size()));
    report.append("| way | calls/s | CPU us per call: port | port, callers, Redis | machine |\n");
    report.append("|---|---:|---:|---:|---:|\n");
    for (int way = 0; way < all.size(); way++) {
      report.append("| ").append(ways.get(way).name());
      for (Slices.Measure measure : Slices.Measure.values()) {
        String format = measure == Slices.Measure.RATE ? " | %.0f" : " | %.2f";
        report.append(String.format(Locale.ROOT, format, all.get(way).of(measure)));
      }
      report.append(" |\n");
    }
    report.append("\n| ratio, +/- standard error | calls/s | port | three | machine |\n");
    report.append("|---|---:|---:|---:|---:|\n| ").append(ways.get(1).name());
    for (Slices.Measure measure : Slices.Measure.values()) {
      report.append(" | ").append(ratio(all, measure));
    }
    report.append(" |\n| ").append(ways.get(2).name());
    for (Slices.Measure measure : Slices.Measure.values()) {
      report.append(" | ").append(all.get(2).to(all.get(0), measure));
    }
    return report.append(" |\n").toString();
  }

  /** Returns the ratio of each port, and in brackets that of the control. */
  String eachBy(Slices.Measure measure) {
    var report = new StringBuilder("\nEach port by itself (its control):");
    for (List<Slices> port : each) {
      report.append(
          String.format(
              Locale.ROOT,
              " %.3f (%.3f)",
              ratio(port, measure).value(),
              port.get(2).to(port.get(0), measure).value()));
    }
    return report.append(".\n").toString();
  }

  /** The interval of halving counts: the coalescer is on for a third of the time. */
  private ServerProcess open() throws IOException {
    Duration decay = LimitPorts.DECAY.multipliedBy(ways.size());
    return LimitPorts.redis(
        redis.uri(),
        Mode.ENFORCE,
        LimitPorts.settings(RedisLoadBenchmark.WINDOW, decay),
        RedisLoadBenchmark.LONG_BUDGET,
        false);
  }

  private List<Slices> turns(int count, ServerProcess port, GrpcLoad load) {
    List<Slices> slices = nothing();
    List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
    for (int turn = 0; turn < count; turn++) {
      Collections.shuffle(order, random);
      for (int way : order) {
        port.ask(ways.get(way).line());
        GrpcLoad.pause(SETTLE);
        slices.get(way).add(slice(port, load));
      }
    }
    return slices;
  }

  private Slices.Slice slice(ServerProcess port, GrpcLoad load) {
    Duration machine = ServerProcess.machineCpu();
    Duration ofPort = port.cpu();
    Duration others = others();
    long answers = load.answers();
    long start = System.nanoTime();
    GrpcLoad.pause(SLICE);
    double count = load.answers() - answers;
    double seconds = (System.nanoTime() - start) / 1e9;
    double portMicros = micros(ofPort, port.cpu());
    double threeMicros = portMicros + micros(others, others());
    double machineMicros = micros(machine, ServerProcess.machineCpu());
    return new Slices.Slice(seconds, count, portMicros, threeMicros, machineMicros);
  }

  private Duration others() {
    return ServerProcess.cpu(redis.pid()).plus(ServerProcess.cpu(ProcessHandle.current().pid()));
  }

  private static double micros(Duration from, Duration to) {
    return to.minus(from).toNanos() / 1e3;
  }

  private List<Slices> together() {
    List<Slices> all = nothing();
    for (List<Slices> port : each) {
      for (int way = 0; way < all.size(); way++) {
        all.get(way).addAll(port.get(way));
      }
    }
    return all;
  }

  private static Slices.Ratio ratio(List<Slices> of, Slices.Measure measure) {
    return of.get(1).to(Slices.both(of.get(0), of.get(2)), measure);
  }

  private static List<Slices> nothing() {
    return List.of(new Slices(), new Slices(), new Slices());
  }

  /**
   * A variant of counting.
   *
   * @param line the command that selects it
   */
  record Way(String name, String line) {}
}
