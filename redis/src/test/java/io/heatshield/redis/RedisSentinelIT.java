package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.command.RecordingSink;
import io.heatshield.testkit.redis.RedisFixture;
import io.heatshield.testkit.redis.RedisSentinelFixture;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client of limits, fleet and stores during a real fail-over by real sentinels. */
@Timeout(180)
class RedisSentinelIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final byte[] KEY = "count".getBytes(StandardCharsets.UTF_8);

  @Test
  void commands_afterAPlannedFailover_leaveTheOldMasterWhileItStillAcceptsWrites() {
    try (var sentinels = RedisSentinelFixture.start();
        Redis redis = open(sentinels)) {
      RedisFixture old = sentinels.master();
      RedisFixture next = sentinels.replica();
      assertThat(add(redis)).isTrue();

      sentinels.killSentinel(2);
      sentinels.failover();
      while (!ask(next, "INFO", "commandstats").contains("cmdstat_evalsha")) {
        add(redis);
      }
      String left = ask(old, "GET", "count");
      for (int i = 0; i < 20; i++) {
        add(redis);
      }

      assertThat(ask(old, "GET", "count")).isEqualTo(left);
      assertThat(ask(old, "ROLE")).startsWith("master");
      assertThat(ask(next, "ROLE")).startsWith("master");
    }
  }

  @Tag("thorough")
  @Test
  void commands_afterTheMasterHangs_goToTheNewOne() {
    try (var sentinels = RedisSentinelFixture.start();
        Redis redis = open(sentinels)) {
      RedisFixture old = sentinels.master();
      RedisFixture next = sentinels.replica();
      assertThat(add(redis)).isTrue();

      old.pause();

      while (!add(redis)) {
        assertThat(next.isAlive()).isTrue();
      }
      assertThat(ask(next, "ROLE")).startsWith("master");
      assertThat(redis.awaitUp(PATIENCE)).isTrue();
      old.resume();
    }
  }

  /** Asks a server again if a sentinel, which closes connections at a promotion, cut it off. */
  private static String ask(RedisFixture server, String name, String... words) {
    try {
      return server.command(name, words);
    } catch (UncheckedIOException cutOff) {
      return server.command(name, words);
    }
  }

  private static Redis open(RedisSentinelFixture sentinels) {
    String url = sentinels.uri().toString().replace('#', '/');
    Redis redis = Redis.builder(RedisUrl.parse(url)).budget(Duration.ofSeconds(1)).open();
    assertThat(redis.awaitUp(PATIENCE)).isTrue();
    return redis;
  }

  private static boolean add(Redis redis) {
    var sink = new RecordingSink();
    redis.eval(RedisIT.ADD, KEY, new byte[][] {{'1'}}, sink);
    return sink.isCount();
  }
}
