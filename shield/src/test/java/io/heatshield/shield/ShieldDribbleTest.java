package io.heatshield.shield;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Savings;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.data.RespPort;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.net.Transport;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.net.FreePort;
import io.heatshield.testkit.time.FakeTicker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that take long to arrive, at a shield whose Redis does not run. */
@Timeout(60)
class ShieldDribbleTest {
  private final FakeTicker ticker = new FakeTicker();
  private final Metrics metrics = new Metrics();
  private final Transport transport = new Transport(1);
  private Shield shield;
  private RespPort port;

  @BeforeEach
  void open() throws Exception {
    String yaml = "shield: { url: 'redis://127.0.0.1:" + FreePort.find() + "' }\n";
    LoadResult result =
        new ConfigLoader(Map.of()).load("test", yaml.getBytes(StandardCharsets.UTF_8));
    Settings settings = ((LoadResult.Valid) result).configuration().settings();
    ShieldSettings asked = Objects.requireNonNull(settings.shield());
    Clock clock = Clock.systemUTC();
    var scopes =
        new ServerScopes(settings.detect(), HashSecret.random(), ticker::nanos, clock, metrics);
    shield = Shield.open(asked, scopes, new Savings(), metrics, clock, ticker::nanos, () -> {});
    port = shield.port(transport, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
    port.start();
  }

  @AfterEach
  void close() {
    port.stop(Duration.ofSeconds(2));
    shield.close();
    transport.stop(Duration.ofSeconds(5));
    metrics.close();
  }

  @Test
  void command_thatDribblesIn_isClosedAtTheReadTimeout() {
    try (RawResp client = client();
        RawResp idle = client()) {
      idle.call("PING");
      client.sendRaw("PING\r\n*1\r\n$4\r\nPI");
      client.reply();
      // The only loop is done with the first client once it has answered the second.
      idle.call("PING");
      ticker.advance(Duration.ofSeconds(20));
      port.sweep();
      client.sendRaw("N");
      assertThat(idle.call("PING")).startsWith("-UNAVAILABLE ");
      ticker.advance(Duration.ofSeconds(20));
      port.sweep();

      assertThat(client.rest()).isEmpty();
      assertThat(shield.counters().timeouts()).isEqualTo(1);
      assertThat(idle.call("PING")).startsWith("-UNAVAILABLE ");
    }
  }

  @Test
  void commands_thatEachArriveInTime_areNotClosed() {
    try (RawResp client = client()) {
      for (int i = 0; i < 4; i++) {
        client.sendRaw(i == 0 ? "PING\r\nPI" : "NG\r\nPI");
        assertThat(client.reply()).startsWith("-UNAVAILABLE ");
        ticker.advance(Duration.ofSeconds(20));
        port.sweep();
      }

      assertThat(client.sendRaw("NG\r\n").reply()).startsWith("-UNAVAILABLE ");
      assertThat(shield.counters().timeouts()).isZero();
    }
  }

  private RawResp client() {
    return RawResp.open("127.0.0.1", port.address().getPort());
  }
}
