package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.args.HotkeysMetric;
import redis.clients.jedis.params.HotkeysParams;
import redis.clients.jedis.resps.HotkeysInfo;

class HotKeysCommandsTest {
  private DataPortFixture port = DataPortFixture.open();
  private RawResp client = port.client();

  @AfterEach
  void close() {
    client.close();
    port.close();
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void session_byJedis_returnsTimeAndBytesByKey(RedisProtocol protocol) {
    try (Jedis jedis =
        new Jedis(
            new HostAndPort("127.0.0.1", port.port()),
            DefaultJedisClientConfig.builder().protocol(protocol).build())) {
      jedis.hotkeysStart(
          HotkeysParams.hotkeysParams()
              .metrics(HotkeysMetric.CPU, HotkeysMetric.NET)
              .count(10)
              .sample(1));
      for (int i = 0; i < 100; i++) {
        jedis.set("busy", "a value of some length");
      }
      jedis.get("idle");

      HotkeysInfo running = jedis.hotkeysGet();
      jedis.hotkeysStop();
      HotkeysInfo stopped = jedis.hotkeysGet();

      long idle = 23L + (protocol == RedisProtocol.RESP3 ? 3 : 5);
      assertThat(running.isTrackingActive()).isTrue();
      assertThat(stopped.isTrackingActive()).isFalse();
      assertThat(stopped.getSampleRatio()).isEqualTo(1);
      assertThat(stopped.getByNetBytes().keySet()).containsExactly("busy", "idle");
      assertThat(stopped.getByNetBytes()).containsEntry("idle", idle);
      assertThat(stopped.getByNetBytes()).containsEntry("busy", 100L * (52 + 5));
      assertThat(stopped.getByCpuTimeUs()).containsOnlyKeys("busy", "idle");
      assertThat(stopped.getAllCommandsAllSlotsUs()).isPositive();
      assertThat(stopped.getNetBytesAllCommandsAllSlots())
          .isEqualTo(stopped.getTotalNetBytes())
          .isEqualTo(100L * 57 + idle);
      jedis.hotkeysReset();
    }
  }

  @Test
  void get_withOneMetric_hasNoFieldsOfTheOther() {
    client.call("hotkeys", "start", "metrics", "1", "net");
    client.call("set", "k", "v");
    client.call("hotkeys", "stop");

    String net = client.call("hotkeys", "get");

    assertThat(net).startsWith("*1\r\n*18\r\n$15\r\ntracking-active\r\n:0\r\n");
    assertThat(net).contains("selected-slots\r\n*1\r\n*2\r\n:0\r\n:16383\r\n");
    assertThat(net).contains("by-net-bytes\r\n*2\r\n$1\r\nk\r\n");
    assertThat(net).doesNotContain("cpu");
    client.call("hello", "3");
    assertThat(client.call("hotkeys", "get")).startsWith("*1\r\n%9\r\n");
  }

  @Test
  void transaction_inASession_isRecordedByCommand() {
    client.call("hotkeys", "start", "metrics", "1", "net");
    client.call("multi");
    for (int i = 0; i < 3; i++) {
      client.call("set", "more", "v");
    }
    client.call("set", "less", "v");
    client.call("exec");

    String got = client.call("hotkeys", "get");

    assertThat(number(got, "more")).isGreaterThan(2 * number(got, "less"));
    assertThat(number(got, "less")).isGreaterThan(26);
  }

  @Test
  void sample_ofOneInTen_isScaled() {
    client.call("hotkeys", "start", "metrics", "1", "net", "sample", "10");
    for (int i = 0; i < 4000; i++) {
      client.call("set", "key", "v");
    }

    String got = client.call("hotkeys", "get");

    long exact = number(got, "net-bytes-all-commands-all-slots");
    assertThat(exact).isEqualTo(4000 * (29 + 5));
    assertThat((double) number(got, "key")).isBetween(exact * 0.7, exact * 1.3);
  }

  @ParameterizedTest
  @CsvSource({
    "hotkeys start,ERR METRICS parameter is required",
    "hotkeys start count 3 metrics 1 cpu,ERR METRICS parameter is required",
    "hotkeys start metrics 0,ERR METRICS count must be > 0 and <= 2",
    "hotkeys start metrics 3 cpu net,ERR METRICS count must be > 0 and <= 2",
    "hotkeys start metrics 2 cpu,ERR METRICS count does not match number of metric types provided",
    "hotkeys start metrics 1 cpu net,ERR syntax error",
    "hotkeys start metrics 1 gpu,ERR METRICS no valid metrics passed. Supported: CPU|NET",
    "hotkeys start metrics 2 cpu cpu,ERR METRICS CPU defined more than once!",
    "hotkeys start metrics 1 cpu count 0,ERR COUNT must be between 1 and 64",
    "hotkeys start metrics 1 cpu count 65,ERR COUNT must be between 1 and 64",
    "hotkeys start metrics 1 cpu duration 0,ERR DURATION must be between 1 and 1000000",
    "hotkeys start metrics 1 cpu sample 0,ERR SAMPLE ratio must be positive",
    "hotkeys start metrics 1 cpu slots 1 0,ERR SLOTS parameter cannot be used in non-cluster mode"
  })
  void start_withBadArguments_isRefused(String command, String error) {
    assertThat(client.call(command.split(" ", -1))).isEqualTo("-" + error + "\r\n");
    assertThat(client.call("hotkeys", "get")).isEqualTo("$-1\r\n");
  }

  @Test
  void states_ofASession_areThoseOfRedis() {
    assertThat(client.call("hotkeys", "stop")).isEqualTo("$-1\r\n");
    assertThat(client.call("hotkeys", "start", "metrics", "2", "gpu", "cpu")).isEqualTo("+OK\r\n");
    assertThat(client.call("hotkeys", "start", "metrics", "1", "net"))
        .isEqualTo("-ERR hotkey tracking session already in progress\r\n");
    assertThat(client.call("hotkeys", "reset"))
        .isEqualTo("-ERR hotkey tracking session in progress, stop tracking first\r\n");
    assertThat(client.call("hotkeys", "stop")).isEqualTo("+OK\r\n");
    assertThat(client.call("hotkeys", "reset")).isEqualTo("+OK\r\n");
    assertThat(client.call("hotkeys", "get")).isEqualTo("$-1\r\n");
    assertThat(client.call("hotkeys", "help")).startsWith("*");
    assertThat(client.call("hotkeys")).startsWith("-ERR wrong number of arguments");
  }

  @Test
  void get_withoutASession_returnsTheKeysOfTheDetector() {
    for (int i = 0; i < 2000; i++) {
      client.call("get", "burning");
    }

    String got = client.call("hotkeys", "get");

    assertThat(got).startsWith("*1\r\n*16\r\n").contains("by-touches\r\n*2\r\n$7\r\nburning\r\n");
    assertThat(number(got, "burning")).isGreaterThanOrEqualTo(2000);
  }

  @Test
  void valkey_returnsRatesByKeyAndStore_andHasNoSessions() {
    close();
    port = DataPortFixture.valkey();
    client = port.client();
    client.call("select", "1");
    for (int i = 0; i < 1000; i++) {
      client.call("get", "burning");
    }

    String got = client.call("hotkeys", "get");

    assertThat(got).startsWith("*1\r\n*6\r\n$3\r\nkey\r\n$7\r\nburning\r\n$2\r\ndb\r\n:1\r\n");
    assertThat(number(got, "qps")).isPositive();
    assertThat(client.call("hotkeys", "start", "metrics", "1", "cpu")).startsWith("-ERR unknown");
    assertThat(client.call("hotkeys", "reset")).isEqualTo("+OK\r\n");
    assertThat(client.call("hotkeys", "get")).isEqualTo("*0\r\n");
  }

  private static long number(String reply, String name) {
    Matcher found = Pattern.compile(Pattern.quote(name) + "\r\n:(\\d+)\r\n").matcher(reply);
    assertThat(found.find()).as(reply).isTrue();
    return Long.parseLong(found.group(1));
  }
}
