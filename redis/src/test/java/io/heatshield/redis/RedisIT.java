package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.command.RecordingSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.Script;
import io.heatshield.testkit.net.FaultProxy;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The client of one real Redis, through a proxy that injects faults. */
class RedisIT {
  static final Script ADD = Script.of("return redis.call('INCRBY', KEYS[1], ARGV[1])");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BUDGET = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static final int AT_ONCE = 4;
  private static final int BYTES_OF_A_REQUEST = 92;

  private static RedisFixture server;

  @BeforeAll
  static void start() {
    server = RedisFixture.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void eval_ofManyCommands_answersInOrderAndSharesRoundTrips() {
    try (var redis = open(server.port())) {
      var sink = new ArrayList<RecordingSink>();

      for (int i = 0; i < 2000; i++) {
        sink.add(add(redis, "order", 1));
      }

      assertThat(sink.stream().map(RecordingSink::count))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, 2000).boxed().toList());
      assertThat(redis.stats().rounds()).isLessThan(2000);
      assertThat(redis.stats().connects()).isEqualTo(2);
    }
  }

  @Test
  void connections_withAName_showItInClientList() {
    var url = RedisUrl.parse("redis://127.0.0.1:" + server.port()).named("heatshield-test:node-1");
    try (var redis = Redis.builder(url).connections(1).open();
        var changes = redis.invalidations(new byte[0], key -> {})) {
      assertThat(redis.awaitUp(PATIENCE)).isTrue();
      RedisBusyTest.await(changes::isUp);

      assertThat(server.command("CLIENT", "LIST").split(" name=heatshield-test:node-1 "))
          .hasSize(3);
    }
  }

  @Test
  void eval_afterTheScriptsWereFlushed_loadsThemAgain() {
    try (var redis = open(server.port())) {
      add(redis, "flushed", 1).count();

      server.command("SCRIPT", "FLUSH");

      assertThat(add(redis, "flushed", 2).count()).isEqualTo(3);
    }
  }

  @Test
  void eval_withPasswordAndUser_isAuthenticated() {
    try (var guarded =
            RedisFixture.start("requirepass hidden", "user limiter on >sesame ~* +@all");
        var redis = open("redis://limiter:sesame@127.0.0.1:" + guarded.port());
        var stranger =
            Redis.builder(RedisUrl.parse("redis://limiter:wrong@127.0.0.1:" + guarded.port()))
                .open()) {

      assertThat(add(redis, "k", 1).count()).isEqualTo(1);
      assertThat(stranger.awaitUp(Duration.ofMillis(200))).isFalse();
    }
  }

  @Test
  void eval_whenRepliesAreCutAtEveryByte_isAmbiguousAndNeverCountedTwice() {
    try (var proxy = FaultProxy.to(server.host(), server.port());
        var redis = open(proxy.port())) {
      var ledger = new Ledger(redis, "cut");
      ledger.settle();
      int bytesOfAReply = ":100000\r\n".length();

      for (int bytes = 0; bytes <= AT_ONCE * bytesOfAReply; bytes++) {
        proxy.cutReplyAfter(bytes);
        ledger.addAll();
        proxy.pass();
        ledger.settle();
      }

      assertThat(ledger.ambiguous).isPositive();
      assertThat(Long.parseLong(server.command("GET", "cut")))
          .isBetween(ledger.acknowledged, ledger.acknowledged + ledger.ambiguous);
    }
  }

  @Test
  void eval_whenRequestsAreCut_neverCountsAPartialWriteTwice() {
    try (var proxy = FaultProxy.to(server.host(), server.port());
        var redis = open(proxy.port())) {
      var ledger = new Ledger(redis, "torn");
      ledger.settle();

      for (int bytes = 0; bytes <= AT_ONCE * BYTES_OF_A_REQUEST; bytes += 11) {
        proxy.cutRequestAfter(bytes);
        ledger.addAll();
        proxy.pass();
        ledger.settle();
      }

      assertThat(ledger.ambiguous).isPositive();
      assertThat(Long.parseLong(server.command("GET", "torn")))
          .isBetween(ledger.acknowledged, ledger.acknowledged + ledger.ambiguous);
    }
  }

  @Test
  void eval_whenRedisIsPaused_failsInTimeAndRecovers() {
    try (var frozen = RedisFixture.start();
        var redis = openShort(frozen.port())) {
      frozen.pause();

      for (int i = 0; i < 20; i++) {
        assertThat(add(redis, "k", 1).isCount()).isFalse();
      }
      assertThat(redis.isUp()).isFalse();
      assertThat(add(redis, "k", 1).failure()).isEqualTo(Failure.BREAKER_OPEN);
      frozen.resume();

      assertThat(redis.awaitUp(PATIENCE)).isTrue();
      assertThat(settle(redis, "k")).isEqualTo(1);
    }
  }

  @Test
  void eval_whenRedisIsDown_failsAtOnceAndRecovers() {
    try (var killed = RedisFixture.start();
        var redis = open(killed.port())) {
      killed.kill();
      while (redis.isUp()) {
        add(redis, "k", 1).isCount();
      }

      assertThat(add(redis, "k", 1).isCount()).isFalse();
      killed.restart();

      assertThat(redis.awaitUp(PATIENCE)).isTrue();
      assertThat(settle(redis, "k")).isEqualTo(1);
    }
  }

  @Test
  void eval_throughABlackHole_failsInTime() {
    try (var proxy = FaultProxy.to(server.host(), server.port());
        var redis = openShort(proxy.port())) {
      proxy.blackHole();

      List<RecordingSink> sink = List.of(add(redis, "hole", 1), add(redis, "hole", 1));

      assertThat(sink).noneMatch(RecordingSink::isCount);
      proxy.pass();
      proxy.resetAll();
      assertThat(redis.awaitUp(PATIENCE)).isTrue();
    }
  }

  @Test
  void eval_whenThePortIsClosed_failsAndRecoversOnceItOpens() {
    try (var proxy = FaultProxy.to(server.host(), server.port())) {
      proxy.refuse();
      try (var redis = builder("redis://127.0.0.1:" + proxy.port()).open()) {
        assertThat(add(redis, "late", 1).isCount()).isFalse();

        proxy.pass();

        assertThat(redis.awaitUp(PATIENCE)).isTrue();
        assertThat(settle(redis, "late")).isEqualTo(1);
      }
    }
  }

  @Test
  void eval_whenRedisIsOutOfMemory_saysSoAndCountsNothing() {
    try (var full = RedisFixture.start("maxmemory 1kb", "maxmemory-policy noeviction");
        var redis = open(full.port())) {

      assertThat(add(redis, "k", 1).failure()).isEqualTo(Failure.OUT_OF_MEMORY);
      assertThat(full.command("GET", "k")).isEqualTo("(nil)");
    }
  }

  /** Adds one until that is answered by a count, and returns what was acknowledged: one. */
  private static long settle(Redis redis, String key) {
    for (int i = 0; i < 1000; i++) {
      if (add(redis, key + "-settled", 0).isCount()) {
        add(redis, key, 1).count();
        return 1;
      }
      redis.awaitUp(PATIENCE);
    }
    throw new AssertionError("Redis does not come back");
  }

  private static RecordingSink add(Redis redis, String key, long hits) {
    var sink = new RecordingSink();
    byte[] argument = Long.toString(hits).getBytes(StandardCharsets.US_ASCII);
    redis.eval(ADD, key.getBytes(StandardCharsets.UTF_8), new byte[][] {argument}, sink);
    return sink;
  }

  private static Redis open(int port) {
    return open("redis://127.0.0.1:" + port);
  }

  /** Opens a client that soon gives up, for a server that never answers. */
  private static Redis openShort(int port) {
    Redis redis = builder("redis://127.0.0.1:" + port).budget(SHORT).open();
    assertThat(redis.awaitUp(PATIENCE)).isTrue();
    return redis;
  }

  private static Redis open(String url) {
    Redis redis = builder(url).open();
    assertThat(redis.awaitUp(PATIENCE)).isTrue();
    return redis;
  }

  private static RedisBuilder builder(String url) {
    return Redis.builder(RedisUrl.parse(url)).budget(BUDGET);
  }

  /** The expected count of one counter, from the outcomes of its commands. */
  private static final class Ledger {
    private static final long HITS = 1000;

    private final Redis redis;
    private final String key;
    private long acknowledged;
    private long ambiguous;

    Ledger(Redis redis, String key) {
      this.redis = redis;
      this.key = key;
    }

    /** Adds several times at once, which most often is one pipeline. */
    void addAll() {
      List<RecordingSink> sink =
          IntStream.range(0, AT_ONCE).mapToObj(i -> add(redis, key, HITS)).toList();
      for (RecordingSink one : sink) {
        if (one.isCount()) {
          acknowledged += HITS;
        } else if (one.failure().isAmbiguous()) {
          ambiguous += HITS;
        }
      }
    }

    /** Adds one at a time until Redis answers again. */
    void settle() {
      for (int i = 0; i < 1000; i++) {
        assertThat(redis.awaitUp(PATIENCE)).isTrue();
        RecordingSink one = add(redis, key, 1);
        if (one.isCount()) {
          acknowledged++;
          return;
        }
        ambiguous += one.failure().isAmbiguous() ? 1 : 0;
      }
      throw new AssertionError("Redis does not come back");
    }
  }
}
