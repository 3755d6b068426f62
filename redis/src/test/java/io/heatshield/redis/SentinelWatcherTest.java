package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.redis.command.RecordingSink;
import io.heatshield.redis.script.Script;
import io.heatshield.testkit.redis.ScriptedRedis;
import io.heatshield.testkit.redis.ScriptedSentinel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The client follows the master even if sentinels disagree or some of them are down. */
class SentinelWatcherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Script SCRIPT = Script.of("return 1");

  private final BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();

  @Test
  void switch_reportedByOneSentinel_isFollowedEvenIfOthersLagOrAreDown()
      throws InterruptedException {
    ScriptedSentinel dead = dead();
    try (var lagging = ScriptedSentinel.of(1001);
        var first = ScriptedSentinel.of(1001);
        SentinelWatcher watcher = watcher(dead, first, lagging)) {
      watcher.start();
      assertThat(next()).isEqualTo(1001);

      first.setMaster(1002, 1);

      assertThat(next()).isEqualTo(1002);
      first.setMaster(1003, 2);
      assertThat(next()).isEqualTo(1003);
    }
  }

  @Test
  void switch_whenTheSentinelThatNamedItIsLost_isNotTakenBackByOneThatLags()
      throws InterruptedException {
    ScriptedSentinel first = ScriptedSentinel.of(1001);
    try (var lagging = ScriptedSentinel.of(1001);
        SentinelWatcher watcher = watcher(lagging, first)) {
      watcher.start();
      assertThat(next()).isEqualTo(1001);
      first.setMaster(1002, 1);
      assertThat(next()).isEqualTo(1002);

      first.close();
      long asked = lagging.count("SENTINEL");
      await(() -> lagging.count("SENTINEL") >= asked + 4);

      assertThat(heard).isEmpty();
      lagging.setMaster(1003, 2);
      assertThat(next()).isEqualTo(1003);
    }
  }

  @Test
  void connections_whenTheMasterSwitches_areReopenedToTheNewOneAfterTheListener() {
    var moves = new AtomicInteger();
    try (var old = server();
        var fresh = server();
        var sentinel = ScriptedSentinel.of(old.port());
        Redis redis = open(sentinel)) {
      redis.onMasterSwitch(
          () -> {
            assertThat(fresh.count("EVALSHA")).isZero();
            moves.incrementAndGet();
          });
      assertThat(eval(redis).count()).isEqualTo(1);

      sentinel.setMaster(fresh.port(), 1);
      await(() -> fresh.count("ROLE") == 1);

      await(() -> eval(redis).isCount());
      assertThat(old.count("EVALSHA")).isEqualTo(1);
      assertThat(fresh.count("EVALSHA")).isPositive();
      assertThat(moves).hasValue(1);
    }
  }

  @Test
  void eval_whenTheMasterIsReadonly_queriesTheSentinelsAgain() {
    try (var demoted =
            ScriptedRedis.start(
                words ->
                    words.get(0).equals("EVALSHA")
                        ? "-READONLY You can't write against a read only replica.\r\n"
                        : "+PONG\r\n");
        var fresh = server();
        var sentinel = ScriptedSentinel.of(demoted.port());
        Redis redis = open(sentinel)) {
      sentinel.setMaster(fresh.port(), 1);

      await(() -> eval(redis).isCount());

      assertThat(fresh.count("EVALSHA")).isPositive();
    }
  }

  @Test
  void server_thatReportsItselfAsAReplica_isNotUsed() {
    try (var replica =
            ScriptedRedis.start(
                words ->
                    words.get(0).equals("ROLE")
                        ? "*1\r\n$5\r\nslave\r\n"
                        : words.get(0).equals("EVALSHA") ? ":1\r\n" : "+PONG\r\n");
        var sentinel = ScriptedSentinel.of(replica.port());
        Redis redis = Redis.builder(url(sentinel)).connections(1).budget(PATIENCE).open()) {
      await(() -> replica.count("ROLE") > 1);

      assertThat(redis.isUp()).isFalse();
      assertThat(eval(redis).isCount()).isFalse();
      assertThat(replica.count("EVALSHA")).isZero();
    }
  }

  @Test
  void find_whileNoSentinelAnswers_fails() {
    try (SentinelWatcher watcher = watcher(dead())) {
      watcher.start();

      assertThatThrownBy(watcher.master()::find).hasMessageContaining("no sentinel");
    }
  }

  private SentinelWatcher watcher(ScriptedSentinel... sentinels) {
    return SentinelWatcher.of(
        url(sentinels),
        Duration.ofSeconds(1),
        master -> heard.add(master.servers().get(0).getPort()));
  }

  private int next() throws InterruptedException {
    Integer port = heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return port == null ? -1 : port;
  }

  private static ScriptedSentinel dead() {
    ScriptedSentinel dead = ScriptedSentinel.of(1001);
    dead.close();
    return dead;
  }

  private static ScriptedRedis server() {
    return ScriptedRedis.start(
        words ->
            switch (words.get(0)) {
              case "EVALSHA" -> ":1\r\n";
              case "ROLE" -> "*1\r\n$6\r\nmaster\r\n";
              default -> "+PONG\r\n";
            });
  }

  private static Redis open(ScriptedSentinel sentinel) {
    Redis redis =
        Redis.builder(url(sentinel))
            .connections(1)
            .budget(PATIENCE)
            .connectTimeout(PATIENCE)
            .open();
    assertThat(redis.awaitUp(PATIENCE)).isTrue();
    return redis;
  }

  private static RedisUrl url(ScriptedSentinel... sentinels) {
    List<String> hosts =
        Stream.of(sentinels).map(sentinel -> "127.0.0.1:" + sentinel.port()).toList();
    return RedisUrl.parse(
        hosts.stream().collect(Collectors.joining(",", "redis-sentinel://", "/main")));
  }

  private static RecordingSink eval(Redis redis) {
    var sink = new RecordingSink();
    redis.eval(SCRIPT, new byte[] {'k'}, new byte[0][], sink);
    return sink;
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("condition not met in time");
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
