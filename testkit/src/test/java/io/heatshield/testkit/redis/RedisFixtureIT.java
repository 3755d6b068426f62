package io.heatshield.testkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import io.heatshield.testkit.net.FaultProxy;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisFixtureIT {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void command_eachKindOfReply_isReturnedAsText() {
    try (var redis = RedisFixture.start()) {
      assertThat(redis.command("PING")).isEqualTo("PONG");
      assertThat(redis.command("INCRBY", "n", "41")).isEqualTo("41");
      assertThat(redis.command("GET", "n")).isEqualTo("41");
      assertThat(redis.command("GET", "absent")).isEqualTo("(nil)");
      assertThat(redis.command("MGET", "n", "absent")).isEqualTo("41\n(nil)");
      assertThatThrownBy(() -> redis.command("LPUSH", "n", "x"))
          .isInstanceOf(RedisErrorReply.class)
          .hasMessageStartingWith("WRONGTYPE");
    }
  }

  @Test
  void command_nastyKeys_areSeparateKeysOnTheServer() {
    try (var redis = RedisFixture.start()) {
      for (NastyKey key : NastyKeys.all()) {
        redis.command("SET".getBytes(UTF_8), key.bytes(), key.name().getBytes(UTF_8));
      }

      for (NastyKey key : NastyKeys.all()) {
        assertThat(redis.command("GET".getBytes(UTF_8), key.bytes())).isEqualTo(key.name());
      }
      assertThat(redis.command("DBSIZE")).isEqualTo(Integer.toString(NastyKeys.all().size()));
    }
  }

  @Test
  void pause_thenResume_repliesAgain() throws Exception {
    try (var redis = RedisFixture.start();
        var connection = redis.connect(SHORT)) {
      redis.pause();
      assertThatThrownBy(() -> connection.command("PING"))
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(redis.isAlive()).isTrue();

      redis.resume();

      assertThat(redis.command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void restart_afterKillWithAppendOnlyFile_keepsDataAndPort() {
    try (var redis = RedisFixture.start("appendonly yes", "appendfsync always")) {
      int port = redis.port();
      long pid = redis.pid();
      redis.command("SET", "k", "v");

      redis.kill();
      assertThatThrownBy(() -> redis.command("GET", "k")).isInstanceOf(UncheckedIOException.class);
      redis.restart();

      assertThat(redis.command("GET", "k")).isEqualTo("v");
      assertThat(redis.port()).isEqualTo(port);
      assertThat(redis.pid()).isNotEqualTo(pid);
    }
  }

  @Test
  void restart_withoutAppendOnlyFile_losesData() {
    try (var redis = RedisFixture.start()) {
      redis.command("SET", "k", "v");

      redis.restart();

      assertThat(redis.command("GET", "k")).isEqualTo("(nil)");
    }
  }

  @Test
  void restart_whilePaused_answersAgain() {
    try (var redis = RedisFixture.start()) {
      redis.pause();

      redis.restart();

      assertThat(redis.command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void start_withPassword_commandsAuthenticateAndUriHasIt() throws Exception {
    try (var redis = RedisFixture.start("requirepass s3cret")) {
      assertThat(redis.command("PING")).isEqualTo("PONG");
      assertThat(redis.uri()).hasToString("redis://:s3cret@127.0.0.1:" + redis.port());
      try (var stranger = RespConnection.open(redis.host(), redis.port(), LONG)) {
        assertThatThrownBy(() -> stranger.command("PING"))
            .isInstanceOf(RedisErrorReply.class)
            .hasMessageStartingWith("NOAUTH");
      }
    }
  }

  @Test
  void start_lineThatRedisRejects_failsWithItsLog() {
    assertThatIllegalStateException()
        .isThrownBy(() -> RedisFixture.start("no-such-directive 1").close())
        .withMessageContaining("Redis did not start")
        .withMessageContaining("no-such-directive");
  }

  @Test
  void start_lineReservedByTheFixture_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedisFixture.start(" Port 6379").close())
        .withMessageContaining("port");
  }

  @Test
  void close_runningPausedOrKilled_leavesNoProcessAndNoFile() {
    for (Ending ending : Ending.values()) {
      var redis = RedisFixture.start("appendonly yes", "appendfsync always");
      ProcessHandle process = ProcessHandle.of(redis.pid()).orElseThrow();
      switch (ending) {
        case RUNNING -> {}
        case PAUSED -> redis.pause();
        case KILLED -> redis.kill();
      }

      redis.close();
      redis.close();

      assertThat(process.isAlive()).as(ending.name()).isFalse();
      assertThat(Files.exists(redis.folder())).as(ending.name()).isFalse();
      assertThatIllegalStateException().isThrownBy(redis::restart);
    }
  }

  @Test
  void faultProxy_replyCutInsideAnInteger_leavesTheIncrementDone() throws Exception {
    try (var redis = RedisFixture.start();
        var proxy = FaultProxy.to(redis.host(), redis.port());
        var client = RespConnection.open(proxy.host(), proxy.port(), LONG)) {
      proxy.cutReplyAfter(2);

      assertThatThrownBy(() -> client.command("INCRBY", "n", "1234"))
          .isInstanceOf(EOFException.class);
      assertThat(redis.command("GET", "n")).isEqualTo("1234");
      assertThat(proxy.replyBytes()).isEqualTo(2);
    }
  }

  private enum Ending {
    RUNNING,
    PAUSED,
    KILLED
  }
}
