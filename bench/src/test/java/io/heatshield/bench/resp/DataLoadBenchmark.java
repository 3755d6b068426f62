package io.heatshield.bench.resp;

import io.heatshield.bench.Ratios;
import io.heatshield.bench.ServerProcess;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Requests per second of GET and SET by redis-benchmark, through the data port, a bare server with
 * the same codec, and a real Redis, each in its own process, alternating; and the memory of idle
 * connections.
 *
 * <p>Called as {@code DataLoadBenchmark OUT.md COMMAND REQUESTS ROUNDS CONNECTIONS}.
 */
public final class DataLoadBenchmark {
  private static final int KEYS = 100_000;
  private static final double BARE_BAR = 0.9;
  private static final long IDLE_BAR = 256L << 20;

  private DataLoadBenchmark() {}

  /** Runs all, writes the report and prints it. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 5) {
      throw new IllegalArgumentException(
          "arguments must be OUT.md COMMAND REQUESTS ROUNDS CONNECTIONS");
    }
    int requests = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[3]);
    var report = new StringBuilder();
    report.append("# Commands over RESP, ").append(LocalDate.now(ZoneOffset.UTC)).append("\n\n");
    report.append("Machine: ").append(Ratios.machine()).append("  \n");
    report.append("Command: `").append(args[1]).append("`  \n");
    report.append("Requests per second of redis-benchmark with 50 clients, each server a process");
    report
        .append(" of its own; medians of ")
        .append(rounds)
        .append(" rounds, in turns, and of the");
    report.append(" rounds' ratios. The bare server has the same codec, a hash map and nothing");
    report.append(" else.\n\n");
    report.append("| test | our port | bare | ratio | at least | | Redis | ratio | aim |\n");
    report.append("|---|---:|---:|---:|---:|---|---:|---:|---:|\n");
    try (var ours = ServerProcess.start(DataPorts.class, "ours");
        var bare = ServerProcess.start(DataPorts.class, "bare");
        var redis = RedisFixture.start("save \"\"")) {
      // Before the load, after which the heap is so large that connections are not visible.
      String idle = idle(ours, Integer.parseInt(args[4]));
      List<Integer> ports = List.of(ours.port(), bare.port(), redis.port());
      for (int port : ports) {
        RedisBenchmarkRun.of(port, requests, 16, KEYS);
        RedisBenchmarkRun.of(port, requests / 4, 1, KEYS);
      }
      report.append(lines("one each", ports, requests / 4, rounds, 1, KEYS, 0.8));
      report.append(lines("pipelines of 16", ports, requests, rounds, 16, KEYS, 1.0));
      report.append(lines("one each, one key", ports, requests / 4, rounds, 1, 0, 0.8));
      report.append(lines("pipelines of 16, one key", ports, requests, rounds, 16, 0, 1.0));
      report.append(idle);
    }
    Files.createDirectories(Path.of(args[0]).toAbsolutePath().getParent());
    Files.writeString(Path.of(args[0]), report);
    System.out.println(report);
  }

  private static String lines(
      String what,
      List<Integer> ports,
      int requests,
      int rounds,
      int pipeline,
      int keys,
      double aim)
      throws IOException, InterruptedException {
    List<List<Map<String, Double>>> all = new ArrayList<>();
    ports.forEach(port -> all.add(new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      for (int turn = 0; turn < ports.size(); turn++) {
        int i = round % 2 == 0 ? turn : ports.size() - 1 - turn;
        all.get(i).add(RedisBenchmarkRun.of(ports.get(i), requests, pipeline, keys));
      }
    }
    var lines = new StringBuilder();
    for (String test : List.of("GET", "SET")) {
      double ofBare = ratio(all.get(0), all.get(1), test);
      lines.append(
          String.format(
              Locale.ROOT,
              "| %s, %s | %.0f | %.0f | %.2f | %.2f | %s | %.0f | %.2f | %.2f |%n",
              test,
              what,
              median(all.get(0), test),
              median(all.get(1), test),
              ofBare,
              BARE_BAR,
              ofBare >= BARE_BAR ? "pass" : "**FAIL**",
              median(all.get(2), test),
              ratio(all.get(0), all.get(2), test),
              aim));
    }
    return lines.toString();
  }

  private static double median(List<Map<String, Double>> runs, String test) {
    return median(runs.stream().mapToDouble(run -> rate(run, test)));
  }

  /** Returns the median ratio of the rounds of one server to the same rounds of another. */
  private static double ratio(
      List<Map<String, Double>> runs, List<Map<String, Double>> others, String test) {
    return median(
        IntStream.range(0, runs.size())
            .mapToDouble(i -> rate(runs.get(i), test) / rate(others.get(i), test)));
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static double rate(Map<String, Double> run, String test) {
    return Objects.requireNonNull(run.get(test));
  }

  /** Opens connections from another process and returns the growth of the server's memory. */
  private static String idle(ServerProcess endpoint, int connections)
      throws IOException, InterruptedException {
    long before = endpoint.residentBytes();
    Process clients =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                IdleClients.class.getName(),
                Integer.toString(endpoint.port()),
                Integer.toString(connections))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var lines = clients.inputReader(StandardCharsets.UTF_8)) {
      if (!"ready".equals(lines.readLine())) {
        throw new IOException("the idle clients did not connect");
      }
      long grown = endpoint.residentBytes() - before;
      return String.format(
          Locale.ROOT,
          "%n%d idle connections: resident memory grew by %.1f MiB, at most %d: %s%n",
          connections,
          grown / (double) (1 << 20),
          IDLE_BAR >> 20,
          grown <= IDLE_BAR ? "pass" : "**FAIL**");
    } finally {
      clients.destroy();
      clients.waitFor();
    }
  }
}
