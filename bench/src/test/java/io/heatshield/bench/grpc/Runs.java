package io.heatshield.bench.grpc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The results of each round, of one port or of several equal ones. */
final class Runs {
  private final List<Run> rounds = new ArrayList<>();

  /** Returns the results of several ports over all their generations. */
  static List<Runs> together(List<List<Runs>> each) {
    List<Runs> all = each.get(0).stream().map(port -> new Runs()).toList();
    for (List<Runs> ports : each) {
      for (int port = 0; port < ports.size(); port++) {
        all.get(port).rounds.addAll(ports.get(port).rounds);
      }
    }
    return all;
  }

  void add(GrpcLoad.Result ran, double incrbys, Latencies latencies) {
    rounds.add(
        new Run(
            ran.perSecond(),
            incrbys,
            ran.cpuMicros(),
            ran.allMicros(),
            latencies.millis(0.5),
            latencies.millis(0.99)));
  }

  double rate() {
    return median(Run::rate);
  }

  /** Returns the ratio of calls per second to those of another port, as {@link #ofRounds}. */
  double ratio(Runs other) {
    return ofRounds(other, Run::rate);
  }

  /** Returns the ratio of the machine's CPU time per call to that of another port. */
  double costRatio(Runs other) {
    return ofRounds(other, Run::machineCpu);
  }

  double incrbys() {
    return median(Run::incrbys);
  }

  double cpu() {
    return median(Run::cpu);
  }

  double machineCpu() {
    return median(Run::machineCpu);
  }

  double p50() {
    return median(Run::p50);
  }

  double p99() {
    return median(Run::p99);
  }

  /** Returns the median ratio of each round to the same round of another port. */
  private double ofRounds(Runs other, ToDoubleFunction<Run> part) {
    return median(
        IntStream.range(0, rounds.size())
            .mapToDouble(
                i -> part.applyAsDouble(rounds.get(i)) / part.applyAsDouble(other.rounds.get(i))));
  }

  private double median(ToDoubleFunction<Run> part) {
    return median(rounds.stream().mapToDouble(part));
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /** The result of one round. */
  private record Run(
      double rate, double incrbys, double cpu, double machineCpu, double p50, double p99) {}
}
