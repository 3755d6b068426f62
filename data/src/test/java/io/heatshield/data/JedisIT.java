package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.ScanResult;

/** Unmodified Jedis, in both protocols. */
class JedisIT {
  private final DataPortFixture port = DataPortFixture.open();

  @AfterEach
  void close() {
    port.close();
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void strings_keysAndErrors_areAsWithRedis(RedisProtocol protocol) {
    try (Jedis jedis = connect(protocol)) {
      assertThat(jedis.set("a", "1", SetParams.setParams().nx().ex(100))).isEqualTo("OK");
      assertThat(jedis.get("a")).isEqualTo("1");
      assertThat(jedis.get("none")).isNull();
      assertThat(jedis.incrBy("a", 41)).isEqualTo(42);
      assertThat(jedis.ttl("a")).isBetween(90L, 100L);
      assertThat(jedis.mset("b", "2", "c", "3")).isEqualTo("OK");
      assertThat(jedis.mget("a", "b", "none")).containsExactly("42", "2", null);
      assertThat(jedis.append("b", "x")).isEqualTo(2);
      assertThat(jedis.exists("a", "b", "none")).isEqualTo(2);
      assertThat(jedis.type("a")).isEqualTo("string");
      assertThat(jedis.rename("c", "d")).isEqualTo("OK");
      assertThat(jedis.del("b", "d")).isEqualTo(2);
      assertThat(jedis.dbSize()).isEqualTo(1);
      assertThat(jedis.clientGetname()).isEqualTo("tester");
      assertThat(jedis.clientList()).contains("name=tester");
      assertThat(jedis.info("server")).contains("redis_version:7");
      assertThat(jedis.configGet("save")).containsEntry("save", "");
      assertThat(jedis.incrByFloat("f", 0.1)).isEqualTo(0.1);
      assertThatThrownBy(() -> jedis.set("a", "x", SetParams.setParams().ex(0)))
          .isInstanceOf(JedisDataException.class)
          .hasMessage("ERR invalid expire time in 'set' command");
    }
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void pipeline_transactionAndScan_work(RedisProtocol protocol) {
    try (Jedis jedis = connect(protocol)) {
      Pipeline pipeline = jedis.pipelined();
      var answers = new ArrayList<Response<Long>>();
      for (int i = 0; i < 10_000; i++) {
        answers.add(pipeline.incr("counter"));
      }
      pipeline.sync();
      assertThat(answers.get(9_999).get()).isEqualTo(10_000);

      jedis.watch("counter");
      Transaction transaction = jedis.multi();
      transaction.set("t", "v");
      Response<String> inside = transaction.get("t");
      assertThat(transaction.exec()).containsExactly("OK", "v");
      assertThat(inside.get()).isEqualTo("v");

      var found = new HashSet<String>();
      String cursor = ScanParams.SCAN_POINTER_START;
      do {
        ScanResult<String> page = jedis.scan(cursor);
        found.addAll(page.getResult());
        cursor = page.getCursor();
      } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
      assertThat(found).containsExactlyInAnyOrder("counter", "t");
    }
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void subscriber_receivesHotKeys(RedisProtocol protocol) throws InterruptedException {
    var subscribed = new CountDownLatch(1);
    var heard = new CountDownLatch(1);
    var messages = new ArrayList<String>();
    var listener =
        new JedisPubSub() {
          @Override
          public void onSubscribe(String channel, int count) {
            subscribed.countDown();
          }

          @Override
          public void onMessage(String channel, String message) {
            messages.add(message);
            heard.countDown();
            unsubscribe();
          }
        };
    try (Jedis jedis = connect(protocol);
        Jedis other = connect(protocol)) {
      var thread = new Thread(() -> other.subscribe(listener, "__hotkey__"));
      thread.start();
      assertThat(subscribed.await(20, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 200; i++) {
        jedis.get("burning");
      }

      assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
      thread.join();
      assertThat(messages).first().asString().contains("burning");
      assertThat(List.of(jedis.ping(), other.ping())).containsOnly("PONG");
    }
  }

  private Jedis connect(RedisProtocol protocol) {
    return new Jedis(
        new HostAndPort("127.0.0.1", port.port()),
        DefaultJedisClientConfig.builder().protocol(protocol).clientName("tester").build());
  }
}
