package io.heatshield.bench.resp;

import io.heatshield.bench.Ratios;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import io.heatshield.server.config.ConfigLoader;
import io.heatshield.server.config.LoadResult;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Requests per second of GET and SET by redis-benchmark, through the data door, a bare server with
 * the same codec, and a real Redis, in turns; then the memory that idle connections take.
 *
 * <p>Called as {@code DataLoadBenchmark OUT.md COMMAND REQUESTS ROUNDS CONNECTIONS}.
 */
public final class DataLoadBenchmark {
  private static final int KEYS = 100_000;
  private static final double BARE_BAR = 0.9;
  private static final long IDLE_BAR = 256L << 20;

  private DataLoadBenchmark() {}

  /** Runs all, writes the report and prints it. */
  public static void main(String[] args)
      throws IOException, InterruptedException, StartException {
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
    report.append("Requests per second of redis-benchmark with 50 clients, the median of ");
    report.append(rounds).append(" rounds, in turns; the bare server has the same codec, a hash");
    report.append(" map and nothing else.\n\n");
    report.append("| test | our door | bare | ratio | at least | | Redis | ratio | aim |\n");
    report.append("|---|---:|---:|---:|---:|---|---:|---:|---:|\n");
    Path state = Files.createTempDirectory("heatshield-bench-");
    HeatshieldServer server = start(state);
    // Before the load, which would leave a heap so large that connections hide in it.
    String idle = idle(server.resp().port(), Integer.parseInt(args[4]));
    try (var bare = new BareDoor();
        var redis = RedisFixture.start("save \"\"")) {
      List<Integer> ports = List.of(server.resp().port(), bare.port(), redis.port());
      for (int port : ports) {
        RedisBenchmarkRun.of(port, requests, 16, KEYS);
        RedisBenchmarkRun.of(port, requests / 4, 1, KEYS);
      }
      report.append(lines("one each", ports, requests / 4, rounds, 1, KEYS, 0.8));
      report.append(lines("pipelines of 16", ports, requests, rounds, 16, KEYS, 1.0));
      report.append(lines("one each, one key", ports, requests / 4, rounds, 1, 0, 0.8));
      report.append(lines("pipelines of 16, one key", ports, requests, rounds, 16, 0, 1.0));
    }
    report.append(idle);
    server.stop(Duration.ofSeconds(5));
    Files.createDirectories(Path.of(args[0]).toAbsolutePath().getParent());
    Files.writeString(Path.of(args[0]), report);
    System.out.println(report);
  }

  private static HeatshieldServer start(Path state) throws StartException {
    var loader = new ConfigLoader(Map.of());
    String yaml =
        "server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '" + state + "' }\n";
    if (loader.load("bench", yaml.getBytes(StandardCharsets.UTF_8))
        instanceof LoadResult.Valid valid) {
      return HeatshieldServer.start(loader, valid.configuration(), null);
    }
    throw new IllegalStateException("the settings of the benchmark must be valid");
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
      for (int i = 0; i < ports.size(); i++) {
        all.get(i).add(RedisBenchmarkRun.of(ports.get(i), requests, pipeline, keys));
      }
    }
    var lines = new StringBuilder();
    for (String test : List.of("GET", "SET")) {
      double ours = median(all.get(0), test);
      double bare = median(all.get(1), test);
      double redis = median(all.get(2), test);
      lines.append(
          String.format(
              Locale.ROOT,
              "| %s, %s | %.0f | %.0f | %.2f | %.2f | %s | %.0f | %.2f | %.2f |%n",
              test,
              what,
              ours,
              bare,
              ours / bare,
              BARE_BAR,
              ours / bare >= BARE_BAR ? "pass" : "**FAIL**",
              redis,
              ours / redis,
              aim));
    }
    return lines.toString();
  }

  private static double median(List<Map<String, Double>> runs, String test) {
    double[] sorted = runs.stream().mapToDouble(run -> run.getOrDefault(test, 0.0)).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /** Opens connections from another process and reads how much this one grows by. */
  private static String idle(int port, int connections) throws IOException, InterruptedException {
    long before = residentBytes();
    Process clients =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                IdleClients.class.getName(),
                Integer.toString(port),
                Integer.toString(connections))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var lines = clients.inputReader(StandardCharsets.UTF_8)) {
      if (!"ready".equals(lines.readLine())) {
        throw new IOException("the idle clients did not connect");
      }
      long grown = residentBytes() - before;
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

  private static long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException("this system does not tell the resident memory");
  }
}
