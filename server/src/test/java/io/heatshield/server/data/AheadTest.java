package io.heatshield.server.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.server.command.Authenticator;
import io.heatshield.server.command.User;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AheadTest {
  private static final Authenticator ONE_USER =
      new Authenticator() {
        @Override
        public @Nullable User unauthenticated() {
          return null;
        }

        @Override
        public User find(String name, byte[] password) {
          return new User(name, false);
        }
      };

  @Test
  void pipeline_ofKeysThatAreThere_isLookedAtBeforeItRuns() {
    try (var door = OpenDataDoor.open();
        RawResp client = door.client()) {
      client.call("SET", "k", "v");

      client.sendRaw("GET k\r\nGET none\r\nSET k w\r\nGET k\r\nPING\r\nGET\r\nNONSENSE k\r\n");

      assertThat(client.reply()).isEqualTo("$1\r\nv\r\n");
      assertThat(client.reply()).isEqualTo("$-1\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\nw\r\n");
      assertThat(client.reply()).isEqualTo("+PONG\r\n");
      assertThat(client.reply()).startsWith("-ERR wrong number");
      assertThat(client.reply()).startsWith("-ERR unknown command 'NONSENSE'");
      assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
      assertThat(door.counters.foundAhead()).isEqualTo(3);
    }
  }

  @Test
  void fault_behindCommands_isAnsweredAfterThem() {
    try (var door = OpenDataDoor.open();
        RawResp client = door.client()) {
      client.sendRaw("SET k v\r\nGET k\r\n*1\r\n:1\r\nGET k\r\n");

      assertThat(client.rest())
          .isEqualTo("+OK\r\n$1\r\nv\r\n-ERR Protocol error: expected '$', got ':'\r\n");
    }
  }

  @Test
  void quit_amongCommands_leavesTheRestUndone() {
    try (var door = OpenDataDoor.open();
        RawResp client = door.client();
        RawResp other = door.client()) {
      client.sendRaw("SET k v\r\nQUIT\r\nSET k w\r\nSET k x\r\n");

      assertThat(client.rest()).isEqualTo("+OK\r\n+OK\r\n");
      assertThat(other.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
    }
  }

  @Test
  void limits_thatALoginRaises_holdForWhatFollowsItInTheSamePipeline() {
    try (var door = OpenDataDoor.open(ONE_USER, limits -> limits);
        RawResp client = door.client()) {
      String value = "x".repeat(20_000);

      client.sendRaw(
          "*3\r\n$4\r\nAUTH\r\n$1\r\na\r\n$1\r\nb\r\n"
              + "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\n"
              + value
              + "\r\nGET k\r\n");

      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$20000\r\n" + value + "\r\n");
    }
  }

  @Test
  void select_amongCommands_holdsForThoseAfterIt() {
    try (var door = OpenDataDoor.open();
        RawResp client = door.client()) {
      client.sendRaw("SET k a\r\nSELECT 1\r\nSET k b\r\nSELECT 0\r\nGET k\r\nQUIT\r\n");

      assertThat(client.rest()).isEqualTo("+OK\r\n+OK\r\n+OK\r\n+OK\r\n$1\r\na\r\n+OK\r\n");
    }
  }
}
