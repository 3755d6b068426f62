package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * EXEC after WATCH runs or not as that of a real Redis 7, whatever happened to the key in between.
 *
 * <p>Commands are separated by semicolons. Those that begin with {@code other} are sent by another
 * client, and {@code gone K} waits until a key has ended.
 */
class WatchIT {
  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static RedisFixture redis;

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static DataPortFixture port;

  @BeforeAll
  static void start() {
    redis = RedisFixture.start("databases 1");
    port = DataPortFixture.open();
  }

  @AfterAll
  static void stop() {
    port.close();
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "watch k; flushall",
        "watch k; flushdb",
        "watch k; other flushall; flushall",
        "watch k; set x v; flushall",
        "set x v; watch k x; flushdb",
        "set k v; watch k; flushall",
        "set k v; watch k; flushdb",
        "set k v; watch k; other flushall; set k v",
        "set k v; watch k; flushall; other set k v",
        "watch k; other set k v; flushall",
        "watch k; other set k v; flushdb; flushdb",
        "watch k; set k v; del k; flushall",
        "watch k; flushall; other set k v",
        "flushall; watch k; flushall; unwatch",
        "set k v px 1; gone k; watch k",
        "set k v px 1; gone k; watch k; flushall",
        "set k v px 1; gone k; watch k; del k",
        "set k v px 1; gone k; watch k; other get k",
        "set k v px 1; gone k; watch k; other set k w",
        "set k v px 1; gone k; watch k; other set k w; flushall",
        "set k v px 1; gone k; watch k; persist k",
        "set k v px TTL; watch k; gone k",
        "set k v px TTL; watch k; gone k; flushall",
        "set k v px TTL; watch k; gone k; set k v",
        "set k v; watch k; pexpire k 1; gone k",
        "set k v; watch k; expire k -1",
        "watch k; expire k -1",
        "watch k; persist k",
        "set k v; watch k; persist k",
        "set k v; watch k; expire k 1000",
        "set k v; watch k; set k w nx",
        "watch k; set k w xx",
        "watch k; del k",
        "watch k; getdel k",
        "set k v; watch k; getex k",
        "set k v; watch k; getex k persist",
        "set k v; watch k; getset k v",
        "set k v; watch k; append k x",
        "set k v; watch k; setrange k 0 v",
        "set x v; watch k; rename x k",
        "set x v; set k v; watch k; renamenx x k",
        "set k v; watch k; rename k k",
        "set k v; watch k; msetnx k v x v",
        "watch k; msetnx k v x v",
      })
  void exec_afterWatch_isThatOfRedis(String script) {
    try (RawResp theirs = RawResp.open(redis.host(), redis.port());
        RawResp theirOther = RawResp.open(redis.host(), redis.port());
        RawResp ours = port.client();
        RawResp ourOther = port.client()) {

      List<String> expected = run(theirs, theirOther, script);
      List<String> actual = run(ours, ourOther, script);

      assertThat(actual).isEqualTo(expected);
    }
  }

  /** Runs a script; TTL in it stands for a time in which the commands up to {@code gone} run. */
  private static List<String> run(RawResp client, RawResp other, String script) {
    for (int ttl = 50; ; ttl *= 4) {
      List<String> replies = run(client, other, script, ttl);
      if (!replies.isEmpty()) {
        return replies;
      }
    }
  }

  /** Returns no replies if the key may have expired too early. */
  private static List<String> run(RawResp client, RawResp other, String script, int ttlMillis) {
    String lines = script.replace("TTL", Integer.toString(ttlMillis)) + "; multi; ping; exec";
    long start = System.nanoTime();
    var replies = new ArrayList<String>();
    replies.add(client.call("flushall"));
    for (String line : lines.split("; ", -1)) {
      if (line.startsWith("gone ")) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (script.contains("TTL") && millis >= ttlMillis) {
          client.call("unwatch");
          return List.of();
        }
        awaitGone(other, line.substring("gone ".length()));
      } else if (line.startsWith("other ")) {
        replies.add(other.call(line.substring("other ".length()).split(" ", -1)));
      } else {
        replies.add(client.call(line.split(" ", -1)));
      }
    }
    return replies;
  }

  /** Waits until a key has expired, without a command that would delete it. */
  private static void awaitGone(RawResp other, String key) {
    while (!other.call("PTTL", key).equals(":-2\r\n")) {
      Thread.onSpinWait();
    }
  }
}
