package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisClusterFixture;
import io.heatshield.testkit.redis.RedisFixture;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that shut down their output after the last command, as {@code nc -N} does. */
@Timeout(180)
class ShieldHalfCloseIT {
  private static final int CLIENTS = 200;

  @Test
  void halfClose_inFrontOfARedis_getsEveryAnswer() throws IOException {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield = OpenShield.of(redis.uri())) {
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(answers(shield, "SET k" + i + " v\r\nGET k" + i + "\r\nGE"))
            .isEqualTo("+OK\r\n$1\r\nv\r\n");
      }

      assertThat(redis.command("DBSIZE")).isEqualTo(Integer.toString(CLIENTS));
    }
  }

  @Test
  void halfClose_inFrontOfACluster_getsEveryAnswer() throws IOException {
    try (RedisClusterFixture cluster = RedisClusterFixture.start();
        OpenShield shield = OpenShield.of(cluster.uri())) {
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(answers(shield, "MSET a" + i + " 1 b" + i + " 2\r\nGET b" + i + "\r\n"))
            .isEqualTo("+OK\r\n$1\r\n2\r\n");
      }
    }
  }

  @Test
  void halfClose_byAClientThatReadsLate_getsAnswersLargerThanTheSocket() throws IOException {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield = OpenShield.of(redis.uri());
        RawResp client = shield.connect()) {
      client.call("SET", "big", "v".repeat(60_000));

      client.sendRaw("GET big\r\n".repeat(400));
      client.socket().shutdownOutput();
      OpenShield.await(() -> shield.metric("heatshield_resp_commands") >= 20);

      assertThat(client.rest()).hasSize(400 * (60_000 + 10));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BLPOP none 0rn | ''",
        "GET krnBLPOP none 0rnGET krn | $1rnvrn",
        "RPUSH l arnBLPOP l 0rn | :1rn*2rn$1rnlrn$1rnarn",
        "SUBSCRIBE crn | *3rn$9rnsubscribern$1rncrn:1rn",
        "MONITORrn | +OKrn"
      })
  void halfClose_afterACommandThatBlocks_endsAsAtTheRedis(String sent, String answer)
      throws IOException {
    try (RedisFixture redis = RedisFixture.start();
        OpenShield shield = OpenShield.of(redis.uri())) {
      redis.command("SET", "k", "v");

      assertThat(answers(shield, sent.replace("rn", "\r\n")))
          .isEqualTo(answer.replace("rn", "\r\n"));
      OpenShield.await(
          () -> !redis.command("CLIENT", "LIST").matches("(?s).*cmd=(blpop|subscribe).*"));
    }
  }

  private static String answers(OpenShield shield, String commands) throws IOException {
    try (RawResp client = shield.connect()) {
      client.sendRaw(commands).socket().shutdownOutput();
      return client.rest();
    }
  }
}
