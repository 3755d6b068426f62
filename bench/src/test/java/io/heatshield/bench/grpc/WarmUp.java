package io.heatshield.bench.grpc;

import io.heatshield.bench.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Rounds that are not counted, as many as it takes until compilers rest, and how many those were.
 */
final class WarmUp {
  /** At least so many: with two processors a compiler at work is a third of the load. */
  private static final int LEAST = 8;

  /**
   * The most of them. What runs once for a flight is compiled after so many flights only, so a port
   * with the coalescer on is warm later than one whose every method runs for every call.
   */
  private static final int MOST = 24;

  /** The part of a round that compilers may take, all of them together, once all ports are warm. */
  private static final double COMPILING = 0.03;

  private final List<Integer> rounds = new ArrayList<>();

  /** Runs rounds, numbered from 0 on, on some ports. */
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
