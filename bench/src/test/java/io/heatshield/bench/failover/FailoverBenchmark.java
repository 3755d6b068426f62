package io.heatshield.bench.failover;

import io.heatshield.bench.Ratios;
import io.heatshield.server.StartException;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.RedisSentinelFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures lost writes, stale reads and exceeded limits when the master of real sentinels changes:
 * through Heatshield, by Lettuce and by Jedis, at the same time on the same Redis.
 *
 * <p>Called as {@code FailoverBenchmark OUT.md COMMAND ROUNDS}: runs that many planned and as many
 * unplanned fail-overs, of about fifteen seconds each.
 */
public final class FailoverBenchmark {
  private static final long LIMIT = 1000;
  private static final Duration BEFORE = Duration.ofSeconds(2);
  private static final Duration AFTER = Duration.ofSeconds(12);

  /** The kinds of fail-over. */
  private enum Kind {
    PLANNED("planned (SENTINEL FAILOVER)"),
    KILLED("unplanned (SIGKILL)"),
    STOPPED("unplanned (SIGSTOP, then SIGCONT)");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private final int rounds;
  private final StringBuilder report = new StringBuilder();
  private int round;

  private FailoverBenchmark(int rounds) {
    this.rounds = rounds;
  }

  /** Runs all, writes the report and prints it. */
  public static void main(String[] args) throws IOException, InterruptedException, StartException {
    if (args.length != 3) {
      throw new IllegalArgumentException("arguments must be OUT.md COMMAND ROUNDS");
    }
    var benchmark = new FailoverBenchmark(Integer.parseInt(args[2]));
    benchmark.run(args[1]);
    Files.createDirectories(Path.of(args[0]).toAbsolutePath().getParent());
    Files.writeString(Path.of(args[0]), benchmark.report);
    System.out.println(benchmark.report);
  }

  private void run(String command) throws IOException, InterruptedException, StartException {
    report.append("# Fail-over by sentinels, ").append(LocalDate.now(ZoneOffset.UTC));
    report.append("\n\nMachine: ").append(Ratios.machine()).append("  \n");
    report.append("Command: `").append(command).append("`\n\n");
    report.append(
        """
        A master, a replica and three sentinels (Redis 7.0.15; a master is down after 500 ms). Each
        client has four threads that pause 5 ms between calls, all clients at the same time; Lettuce
        by its `MasterReplica`, Jedis by its `RedisSentinelClient`.

        - *lost*: members of a set that were acknowledged and are not on the last master. Redis
          replicates asynchronously: what the old master acknowledged after the replica was promoted
          is lost whatever a client does.
        - *own writes missed*: a GET that returned less than the SET before it on the same session,
          while others read the same key.
        - *stale*: a GET that missed what the last master had acknowledged more than a second
          (`max_stale`) before the GET began.
        - *over limit*: passed beyond a limit of 1000; for Heatshield by its limits with
          `on_failure: closed`, for the others by INCR.
        - *refused*: calls that ended in an error.

        """);
    report.append("| fail-over | rounds | client | written | lost | own writes missed | reads |");
    report.append(" stale | over limit | refused |\n");
    report.append("|---|---:|---|---:|---:|---:|---:|---:|---:|---:|\n");
    try (var sentinels = RedisSentinelFixture.start();
        var heatshield = HeatshieldContestant.start(sentinels.uri(), LIMIT);
        var lettuce = new LettuceContestant(sentinels);
        var jedis = new JedisContestant(sentinels)) {
      List<Contestant> all = List.of(heatshield, lettuce, jedis);
      run(Kind.PLANNED, rounds, sentinels, all);
      run(Kind.KILLED, rounds - rounds / 2, sentinels, all);
      run(Kind.STOPPED, rounds / 2, sentinels, all);
    }
  }

  private void run(
      Kind kind, int times, RedisSentinelFixture sentinels, List<Contestant> contestants)
      throws InterruptedException {
    var sums = new ArrayList<Run.Result>();
    contestants.forEach(none -> sums.add(Run.Result.NONE));
    for (int i = 0; i < times; i++) {
      List<Run.Result> results = once(kind, sentinels, contestants);
      for (int j = 0; j < sums.size(); j++) {
        sums.set(j, sums.get(j).plus(results.get(j)));
        String name = contestants.get(j).name();
        System.out.println(kind + " " + (i + 1) + " " + name + " " + results.get(j));
      }
    }
    for (int j = 0; j < sums.size() && times > 0; j++) {
      Run.Result sum = sums.get(j);
      report.append("| ").append(kind.text).append(" | ").append(times);
      report.append(" | ").append(contestants.get(j).name());
      for (long figure :
          new long[] {
            sum.written(), sum.lost(), sum.own(), sum.reads(), sum.stale(), sum.over(), sum.failed()
          }) {
        report.append(" | ").append(figure);
      }
      report.append(" |\n");
    }
  }

  private List<Run.Result> once(
      Kind kind, RedisSentinelFixture sentinels, List<Contestant> contestants)
      throws InterruptedException {
    round++;
    sentinels.awaitSettled();
    RedisFixture old = sentinels.master();
    RedisFixture next = sentinels.replica();
    var truth = new Run.Truth(sentinels, round);
    List<Run> runs = contestants.stream().map(one -> new Run(one, round, LIMIT)).toList();
    LockSupport.parkNanos(BEFORE.toNanos());
    long began = System.nanoTime();
    switch (kind) {
      case PLANNED -> sentinels.failover();
      case KILLED -> old.kill();
      case STOPPED -> old.pause();
    }
    sentinels.awaitMaster(next);
    if (kind == Kind.KILLED) {
      old.restart();
    } else if (kind == Kind.STOPPED) {
      old.resume();
    }
    while (System.nanoTime() - began < AFTER.toNanos()) {
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
    NavigableMap<Long, Long> acknowledged = truth.end();
    var results = new ArrayList<Run.Result>();
    for (Run one : runs) {
      results.add(one.end(sentinels, acknowledged));
    }
    return results;
  }
}
