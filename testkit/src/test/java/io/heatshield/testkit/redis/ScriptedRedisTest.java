package io.heatshield.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScriptedRedisTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void reply_toACommand_isThatOfTheScript() throws Exception {
    try (var server = ScriptedRedis.start(words -> ":" + words.get(2) + "\r\n");
        var client = RespConnection.open("127.0.0.1", server.port(), PATIENCE)) {

      assertThat(client.command("INCRBY", "k", "3")).isEqualTo("3");
      assertThat(client.command("INCRBY", "k", "-5")).isEqualTo("-5");
      assertThat(server.count("INCRBY")).isEqualTo(2);
    }
  }

  @Test
  void reply_closeConnection_endsTheConnection() throws Exception {
    try (var server = ScriptedRedis.start(words -> ScriptedRedis.CLOSE_CONNECTION);
        var client = RespConnection.open("127.0.0.1", server.port(), PATIENCE)) {

      assertThatThrownBy(() -> client.command("PING")).isInstanceOf(EOFException.class);
    }
  }
}
