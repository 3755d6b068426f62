package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.command.RecordingSink;
import io.heatshield.redis.script.CountSink;
import io.heatshield.redis.script.Failure;
import io.heatshield.redis.script.RedisException;
import io.heatshield.redis.script.Script;
import io.heatshield.testkit.redis.ScriptedRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All replies, valid or not, to a script that counts. */
class RedisReplyTest {
  private static final Script SCRIPT = Script.of("return 1");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private volatile String reply = ":1\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+OK\r\n",
        ":-5\r\n",
        "$-1\r\n",
        "$2\r\n10\r\n",
        "*1\r\n:1\r\n",
        "*-1\r\n",
      })
  void eval_whenTheReplyIsNotACount_failsAndReconnects(String text) {
    try (var server = server();
        var redis = open(server)) {
      reply = text;

      assertThat(eval(redis).failure()).isEqualTo(Failure.MALFORMED_REPLY);

      reply = ":7\r\n";
      assertThat(eval(redis).count()).isEqualTo(7);
      assertThat(redis.stats().connects()).isEqualTo(2);
      assertThat(server.count("EVALSHA")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$2147483647\r\n",
        "$-7\r\n",
        ":12x\r\n",
        ":99999999999999999999\r\n",
        "?\r\n",
        "hang up",
      })
  void eval_whenTheReplyCannotBeRead_isAmbiguousAndSentOnce(String text) {
    try (var server = server();
        var redis = open(server)) {
      reply = text;

      assertThat(eval(redis).failure()).isEqualTo(Failure.AMBIGUOUS);

      reply = ":7\r\n";
      assertThat(eval(redis).count()).isEqualTo(7);
      assertThat(server.count("EVALSHA")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LOADING, LOADING",
    "BUSY, BUSY",
    "READONLY, READONLY",
    "OOM, OUT_OF_MEMORY",
    "MISCONF, OUT_OF_MEMORY",
    "CLUSTERDOWN, CLUSTER_DOWN",
    "NOAUTH, NOT_PERMITTED",
    "NOPERM, NOT_PERMITTED",
    "MOVED, REDIRECTED_TOO_OFTEN",
    "ERR, ERROR_REPLY",
    "secret, ERROR_REPLY",
  })
  void eval_whenRedisRefuses_namesTheReason(String code, Failure failure) {
    try (var server = server();
        var redis = open(server)) {
      reply = "-" + code + " secret 127.0.0.1:1\r\n";
      var sink = new AtomicReference<String>("");

      redis.eval(SCRIPT, bytes("k"), new byte[0][], new Message(sink));
      assertThat(eval(redis).failure()).isEqualTo(failure);

      assertThat(sink.get()).isNotEmpty().doesNotContain("secret");
    }
  }

  @Test
  void eval_whenTheScriptIsUnknown_loadsItAndSendsAgain() {
    var loaded = new AtomicBoolean();
    try (var server =
            ScriptedRedis.start(
                words ->
                    switch (words.get(0)) {
                      case "SCRIPT" -> {
                        loaded.set(true);
                        yield "$40\r\n" + "a".repeat(40) + "\r\n";
                      }
                      case "EVALSHA" -> loaded.get() ? ":3\r\n" : "-NOSCRIPT No script\r\n";
                      default -> "+PONG\r\n";
                    });
        var redis = open(server)) {

      assertThat(eval(redis).count()).isEqualTo(3);

      assertThat(server.count("SCRIPT")).isEqualTo(1);
      assertThat(redis.stats().scriptLoads()).isEqualTo(1);
      assertThat(redis.stats().connects()).isEqualTo(1);
    }
  }

  @Test
  void eval_whenTheScriptStaysUnknown_failsAfterOneLoad() {
    try (var server = server();
        var redis = open(server)) {
      reply = "-NOSCRIPT No script\r\n";

      assertThat(eval(redis).failure()).isEqualTo(Failure.NO_SCRIPT);

      assertThat(server.count("EVALSHA")).isEqualTo(2);
      assertThat(server.count("SCRIPT")).isEqualTo(1);
    }
  }

  @Test
  void eval_whenTheClientIsClosed_failsAtOnce() {
    try (var server = server()) {
      Redis redis = open(server);
      redis.close();

      assertThat(eval(redis).failure()).isEqualTo(Failure.CLOSED);
      assertThat(redis.isUp()).isFalse();
    }
  }

  @Test
  void close_withPendingCommands_failsAllOfThem() {
    try (var server = server()) {
      Redis redis = open(server, Duration.ofMillis(500));
      reply = "";
      RecordingSink sent = eval(redis);
      RecordingSink behind = eval(redis);

      redis.close();

      assertThat(sent.failure().isAmbiguous() || sent.failure() == Failure.CLOSED).isTrue();
      assertThat(behind.isDone()).isTrue();
      assertThat(sent.times).hasValue(1);
      assertThat(behind.times).hasValue(1);
    }
  }

  @Test
  void sentinel_thatKnowsTheMaster_isFollowed() {
    try (var server = server();
        var stranger = ScriptedRedis.start(words -> "*-1\r\n");
        var sentinel =
            ScriptedRedis.start(
                words ->
                    words.get(0).equals("SENTINEL") && words.get(2).equals("main")
                        ? "*2\r\n$9\r\n127.0.0.1\r\n" + bulk(server.port())
                        : "+OK\r\n");
        var redis =
            Redis.builder(
                    RedisUrl.parse(
                        "redis-sentinel://127.0.0.1:1,127.0.0.1:"
                            + stranger.port()
                            + ",127.0.0.1:"
                            + sentinel.port()
                            + "/main"))
                .budget(PATIENCE)
                .connectTimeout(PATIENCE)
                .open()) {

      assertThat(eval(redis).count()).isEqualTo(1);
      assertThat(server.count("EVALSHA")).isEqualTo(1);
    }
  }

  private ScriptedRedis server() {
    return ScriptedRedis.start(words -> words.get(0).equals("EVALSHA") ? reply : "+PONG\r\n");
  }

  private static Redis open(ScriptedRedis server) {
    return open(server, Duration.ofSeconds(10));
  }

  private static Redis open(ScriptedRedis server, Duration budget) {
    Redis redis =
        Redis.builder(RedisUrl.parse("redis://127.0.0.1:" + server.port()))
            .connections(1)
            .budget(budget)
            .connectTimeout(PATIENCE)
            .open();
    assertThat(redis.awaitUp(PATIENCE)).isTrue();
    return redis;
  }

  private static RecordingSink eval(Redis redis) {
    var sink = new RecordingSink();
    redis.eval(SCRIPT, bytes("k"), new byte[0][], sink);
    return sink;
  }

  private static String bulk(int number) {
    String digits = Integer.toString(number);
    return "$" + digits.length() + "\r\n" + digits + "\r\n";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Keeps what a failure says. */
  private record Message(AtomicReference<String> text) implements CountSink {
    @Override
    public void counted(long count) {}

    @Override
    public void failed(RedisException reason) {
      text.set(String.valueOf(reason.getMessage()));
    }
  }
}
