package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heatshield.testkit.redis.ScriptedRedis;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

class LinkTest {

  @Test
  void put_afterTheConnectionWasAborted_neverConnectsAgain() {
    try (var server = ScriptedRedis.start(words -> ":1\r\n");
        Link link = open(server)) {
      Command command =
          new Command(
              Script.of("return 1"), new byte[1], new byte[0][], 0, false, new Tally(), new Told());
      link.put(command);
      link.send();
      link.next();

      link.abort();

      assertThatExceptionOfType(JedisConnectionException.class)
          .isThrownBy(
              () -> {
                link.put(command);
                link.send();
                link.next();
              });
      assertThat(server.count("EVALSHA")).isEqualTo(1);
    }
  }

  private static Link open(ScriptedRedis server) {
    RedisBuilder builder = Redis.builder(RedisUrl.parse("redis://127.0.0.1:" + server.port()));
    return Access.toData(builder).open(new Address("127.0.0.1", server.port()));
  }
}
