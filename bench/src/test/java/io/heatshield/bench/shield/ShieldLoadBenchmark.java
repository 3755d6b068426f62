package io.heatshield.bench.shield;

import io.heatshield.bench.Ratios;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.server.HeatshieldServer;
import io.heatshield.server.StartException;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.RespConnection;
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
import java.util.function.ToDoubleFunction;

/**
 * Load on a Redis by redis-benchmark, through the shield, through a bare relay and directly,
 * alternating; and the reads that the shield answers itself.
 *
 * <p>Called as {@code ShieldLoadBenchmark OUT.md COMMAND SECONDS ROUNDS}: about this many seconds
 * for each of some forty runs.
 */
public final class ShieldLoadBenchmark {
  private static final int KEYS = 100_000;
  private static final int FIRST_REQUESTS = 20_000;
  private static final byte[] GET = {'G', 'E', 'T'};

  /** Requests per second and the median latency in milliseconds. */
  private record Run(double rate, double p50) {}

  private final double seconds;
  private final int rounds;
  private final StringBuilder report = new StringBuilder();

  private ShieldLoadBenchmark(double seconds, int rounds) {
    this.seconds = seconds;
    this.rounds = rounds;
  }

  /** Runs all, writes the report and prints it. */
  public static void main(String[] args) throws IOException, InterruptedException, StartException {
    if (args.length != 4) {
      throw new IllegalArgumentException("arguments must be OUT.md COMMAND SECONDS ROUNDS");
    }
    var benchmark = new ShieldLoadBenchmark(Double.parseDouble(args[2]), Integer.parseInt(args[3]));
    benchmark.run(args[1]);
    Files.createDirectories(Path.of(args[0]).toAbsolutePath().getParent());
    Files.writeString(Path.of(args[0]), benchmark.report);
    System.out.println(benchmark.report);
  }

  private void run(String command) throws IOException, InterruptedException, StartException {
    report.append("# The shield, ").append(LocalDate.now(ZoneOffset.UTC)).append("\n\n");
    report.append("Machine: ").append(Ratios.machine()).append("  \n");
    report.append("Command: `").append(command).append("`  \n");
    report
        .append("redis-benchmark, the median of ")
        .append(rounds)
        .append(" rounds, in turns.\n\n");
    report.append("| figure | shield | rival | ratio | bar | |\n|---|---:|---:|---:|---:|---|\n");
    try (var redis = RedisFixture.start("save \"\"");
        var relay = new BareRelay(redis.port())) {
      HeatshieldServer handing = start(redis, "off");
      HeatshieldServer keeping = start(redis, "enforce");
      int through = handing.resp().port();
      int memory = keeping.resp().port();
      double fast = 0;
      double slow = 0;
      for (int port : new int[] {redis.port(), relay.port(), through, memory}) {
        once(port, "set,get", 50, FIRST_REQUESTS, KEYS);
        fast = once(port, "get", 50, 4 * FIRST_REQUESTS, KEYS).rate();
        slow = once(port, "get", 1, FIRST_REQUESTS / 4, KEYS).rate();
      }
      int many = (int) (fast * seconds);
      int few = (int) (slow * seconds);
      for (String test : List.of("get", "set")) {
        List<Run> runs = runs(test, 1, few, KEYS, through, relay.port());
        atMost(test + " forwarded, one client, p50 ms against the relay", runs, Run::p50, 1.3);
        runs = runs(test, 50, many, KEYS, through, relay.port());
        atLeast(test + " forwarded, 50 clients, requests/s against the relay", runs, 0.8);
      }
      // The key that redis-benchmark reads without random keys; it must exist to be cached.
      redis.command("SET", "key:__rand_int__", "xxx");
      once(memory, "get", 50, FIRST_REQUESTS, 0);
      long before = gets(redis);
      once(memory, "get", 50, many, 0);
      saved("hot GET, of the reads kept from the Redis", many, gets(redis) - before, 0.95);
      atLeast(
          "hot GET from memory, 50 clients, requests/s against direct",
          runs("get", 50, many, 0, memory, redis.port()),
          0.8);
      zipf(redis, memory, Math.max(FIRST_REQUESTS, few * rounds));
      handing.stop(Duration.ofSeconds(5));
      keeping.stop(Duration.ofSeconds(5));
    }
  }

  private void zipf(RedisFixture redis, int port, int requests) throws IOException {
    try (RespConnection direct = redis.connect(Duration.ofSeconds(10))) {
      for (long rank = 1; rank <= KEYS; rank++) {
        direct.command("SET".getBytes(StandardCharsets.US_ASCII), Zipf.key(rank), new byte[32]);
      }
    }
    var keys = new Zipf(KEYS, 1.2, 12);
    long before = gets(redis);
    try (RespConnection client = RespConnection.open("127.0.0.1", port, Duration.ofSeconds(10))) {
      for (int i = 0; i < requests; i++) {
        client.command(GET, keys.nextKey());
      }
    }
    saved("Zipf 1.2 GETs, of the reads kept from the Redis", requests, gets(redis) - before, 0.5);
  }

  private static HeatshieldServer start(RedisFixture redis, String mode)
      throws IOException, StartException {
    Path state = Files.createTempDirectory("heatshield-bench-");
    var loader = new ConfigLoader(Map.of());
    String yaml =
        "server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '"
            + state
            + "' }\nshield: { url: '"
            + redis.uri()
            + "', write_limit: { mode: observe }, hot_reads: { mode: '"
            + mode
            + "' } }\n";
    if (loader.load("bench", yaml.getBytes(StandardCharsets.UTF_8))
        instanceof LoadResult.Valid valid) {
      return HeatshieldServer.start(loader, valid.configuration(), null);
    }
    throw new IllegalStateException("the settings of the benchmark must be valid");
  }

  /** Returns the median run on each of two ports, measured alternately. */
  private List<Run> runs(String test, int clients, int count, int keys, int ours, int rival)
      throws IOException, InterruptedException {
    var first = new ArrayList<Run>();
    var second = new ArrayList<Run>();
    for (int round = 0; round < rounds; round++) {
      first.add(once(ours, test, clients, count, keys));
      second.add(once(rival, test, clients, count, keys));
    }
    return List.of(median(first), median(second));
  }

  private static Run median(List<Run> runs) {
    return new Run(middle(runs, Run::rate), middle(runs, Run::p50));
  }

  private static double middle(List<Run> runs, ToDoubleFunction<Run> figure) {
    return runs.stream().mapToDouble(figure).sorted().toArray()[runs.size() / 2];
  }

  private static Run once(int port, String tests, int clients, int requests, int keys)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of("redis-benchmark", "-p", Integer.toString(port), "-t", tests));
    command.addAll(List.of("-c", Integer.toString(clients), "--csv"));
    command.addAll(List.of("-n", Integer.toString(requests)));
    if (keys > 0) {
      command.addAll(List.of("-r", Integer.toString(keys)));
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String[] lines = text.strip().split("\n", -1);
    String[] cells = lines[lines.length - 1].replace("\"", "").split(",", -1);
    if (process.waitFor() != 0 || cells.length < 5) {
      throw new IOException("redis-benchmark failed: " + text);
    }
    return new Run(Double.parseDouble(cells[1]), Double.parseDouble(cells[4]));
  }

  private static long gets(RedisFixture redis) {
    for (String line : redis.command("INFO", "commandstats").split("\r?\n", -1)) {
      if (line.startsWith("cmdstat_get:")) {
        return Long.parseLong(line.substring(line.indexOf("calls=") + 6, line.indexOf(',')));
      }
    }
    return 0;
  }

  private void atMost(String what, List<Run> runs, ToDoubleFunction<Run> figure, double bar) {
    double ours = figure.applyAsDouble(runs.get(0));
    double rival = figure.applyAsDouble(runs.get(1));
    line(what, ours, rival, ours / rival, bar, ours / rival <= bar);
  }

  private void atLeast(String what, List<Run> runs, double bar) {
    double ratio = runs.get(0).rate() / runs.get(1).rate();
    line(what, runs.get(0).rate(), runs.get(1).rate(), ratio, bar, ratio >= bar);
  }

  private void saved(String what, long asked, long reached, double bar) {
    double part = 1 - ((double) reached / asked);
    line(what, (double) (asked - reached), (double) asked, part, bar, part >= bar);
  }

  private void line(
      String what, double ours, double rival, double ratio, double bar, boolean pass) {
    report.append(
        String.format(
            Locale.ROOT,
            "| %s | %.3f | %.3f | %.2f | %.2f | %s |%n",
            what,
            ours,
            rival,
            ratio,
            bar,
            pass ? "pass" : "**FAIL**"));
  }
}
