package io.heatshield.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heatshield.testkit.redis.ScriptedRedis;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

class ServerConnectionTest {

  @Test
  void call_afterTheConnectionWasAborted_neverConnectsAgain() {
    try (var server = ScriptedRedis.start(words -> ":1\r\n");
        ServerConnection connection = open(server)) {
      connection.call(Protocol.Command.DBSIZE);

      connection.abort();

      assertThatExceptionOfType(JedisConnectionException.class)
          .isThrownBy(() -> connection.call(Protocol.Command.DBSIZE));
      assertThat(server.count("DBSIZE")).isEqualTo(1);
    }
  }

  private static ServerConnection open(ScriptedRedis server) {
    var config = DefaultJedisClientConfig.builder().serverDefaultProtocol().build();
    return new ConnectionFactory(config, null, null).open(new Address("127.0.0.1", server.port()));
  }
}
