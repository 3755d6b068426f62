package io.heatshield.cli.demo.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.redis.RespConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BoundedStoreTest {
  private static final byte[] VALUE = "v".getBytes(StandardCharsets.US_ASCII);

  @SuppressWarnings("NullAway.Init") // set before each test
  private BoundedStore store;

  @BeforeEach
  void start() throws Exception {
    store = BoundedStore.start(100_000);
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void command_getOfWhatWasSet_returnsIt() throws Exception {
    store.fill("user:", 3, VALUE);
    try (RespConnection client = connect()) {

      assertThat(client.command("GET", "user:2")).isEqualTo("v");
      assertThat(client.command("GET", "user:3")).isEqualTo("(nil)");
      assertThat(client.command("SET", "user:3", "w")).isEqualTo("OK");
      assertThat(client.command("GET", "user:3")).isEqualTo("w");
      assertThat(client.command("PTTL", "user:3")).isEqualTo("-1");
      assertThat(client.command("DBSIZE")).isEqualTo("4");
    }
  }

  @Test
  void command_fixedWindow_addsHits() throws Exception {
    try (RespConnection client = connect()) {

      assertThat(client.command("EVALSHA", "digest", "1", "limit:a", "2", "60000")).isEqualTo("2");
      assertThat(client.command("EVALSHA", "digest", "1", "limit:a", "3", "60000")).isEqualTo("5");
      assertThat(Long.parseLong(client.command("PTTL", "limit:a"))).isBetween(1L, 60_000L);
    }
  }

  @Test
  void attackCalls_keysOfTheAttack_areCountedSeparately() throws Exception {
    store.setAttackedKeys("hot"::equals);
    try (RespConnection client = connect()) {

      client.command("GET", "hot");
      client.command("GET", "cold");
      client.command("SET", "hot", "v");
    }

    assertThat(store.attackCalls()).isEqualTo(2);
    assertThat(store.calls()).isEqualTo(3);
  }

  private RespConnection connect() throws Exception {
    URI url = URI.create(store.url());
    return RespConnection.open(url.getHost(), url.getPort(), Duration.ofSeconds(10));
  }
}
