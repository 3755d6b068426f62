package io.heatshield.bench.grpc;

import io.heatshield.bench.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** The warm-up: rounds that are not counted, until the compilers are idle. */
final class WarmUp {
  /**
   * The minimum number of rounds: with two processors a running compiler is a third of the load.
   */
  private static final int LEAST = 8;

  /**
   * The maximum number of rounds. Methods that run once per batch are compiled after more calls, so
   * a port with the coalescer on warms up later.
   */
  private static final int MOST = 24;

  /** The maximum fraction of a round for all compilers together once all ports are warm. */
  private static final double COMPILING = 0.03;

  private final List<Integer> rounds = new ArrayList<>();

  /** Runs rounds on some ports, numbered from 0. */
  void run(List<ServerProcess> ports, IntConsumer round) {
    int done = 0;
    double compiling = 1;
    while (done < LEAST || (compiling > COMPILING && done < MOST)) {
      Duration before = ServerProcess.compilers(ports);
      long start = System.nanoTime();
      round.accept(done++);
      double took = System.nanoTime() - start;
      compiling = ServerProcess.compilers(ports).minus(before).toNanos() / took;
    }
    rounds.add(done);
  }

  @Override
  public String toString() {
    return "Rounds that warmed up, until compilers rested: " + rounds + "; " + MOST + " at most.";
  }
}
