package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.redis.ScriptedRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that replies that it is busy is alive: the client retries on the same connection. */
class RedisBusyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String PONG = "+PONG\r\n";

  private volatile String toPing = PONG;

  @ParameterizedTest
  @ValueSource(strings = {"-BUSY Redis is busy running a script.\r\n", "-LOADING Redis is.\r\n"})
  void redis_whileTheServerIsBusy_keepsItsConnection(String busy) {
    toPing = busy;
    try (var server = ScriptedRedis.start(this::reply);
        var redis = Redis.builder(url(server)).connections(1).budget(PATIENCE).open()) {
      await(() -> server.count("PING") > 3);
      assertThat(redis.isUp()).isFalse();

      toPing = PONG;

      assertThat(redis.awaitUp(PATIENCE)).isTrue();
      await(() -> server.count("CLIENT") == 2);
      assertThat(server.count("AUTH")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-BUSY Redis is busy running a script.\r\n", "-LOADING Redis is.\r\n"})
  void invalidations_whileTheServerIsBusy_waitForItOnTheSameConnection(String busy) {
    toPing = busy;
    try (var server = ScriptedRedis.start(this::reply);
        var changes = Invalidations.open(url(server), null, key -> {})) {
      await(() -> server.count("PING") > 3);
      assertThat(changes.isUp()).isFalse();
      assertThat(changes.isBusy()).isTrue();

      toPing = PONG;
      await(changes::isUp);
      await(() -> !changes.isBusy());
      toPing = busy;
      await(changes::isBusy);

      assertThat(changes.isUp()).isTrue();
      assertThat(server.count("AUTH")).isEqualTo(1);
    }
  }

  private String reply(List<String> words) {
    return switch (words.get(0)) {
      case "PING" ->
          words.size() > 1 && toPing.equals(PONG)
              ? "$" + words.get(1).length() + "\r\n" + words.get(1) + "\r\n"
              : toPing;
      case "CLIENT" -> toPing.equals(PONG) ? "+OK\r\n" : toPing;
      case "HELLO" -> "%1\r\n+proto\r\n:3\r\n";
      default -> "+OK\r\n";
    };
  }

  private static RedisUrl url(ScriptedRedis server) {
    return RedisUrl.parse("redis://:secret@127.0.0.1:" + server.port()).named("test");
  }

  static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("condition not met in time").isNegative();
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }
}
