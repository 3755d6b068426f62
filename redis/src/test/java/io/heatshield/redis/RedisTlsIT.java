package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.command.RecordingSink;
import io.heatshield.testkit.net.TlsRelay;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a relay before a real Redis, whose certificate is for 127.0.0.1 alone. */
class RedisTlsIT {
  @TempDir
  @SuppressWarnings("NullAway.Init") // Set by JUnit.
  private Path folder;

  @Test
  void eval_overTlsThatIsTrusted_isAnswered() throws Exception {
    try (var server = RedisFixture.start();
        var relay = TlsRelay.start(folder, server.port());
        var redis = builder("rediss://127.0.0.1:", relay).tls(sockets(relay)).open()) {

      assertThat(redis.awaitUp(Duration.ofSeconds(30))).isTrue();
      var sink = new RecordingSink();
      redis.eval(RedisIT.ADD, new byte[] {'k'}, new byte[][] {{'5'}}, sink);
      assertThat(sink.count()).isEqualTo(5);
    }
  }

  @Test
  void eval_overUntrustedTlsOrAnotherName_isNeverSent() throws Exception {
    try (var server = RedisFixture.start();
        var relay = TlsRelay.start(folder, server.port());
        var untrusted = builder("rediss://127.0.0.1:", relay).open();
        var misnamed = builder("rediss://localhost:", relay).tls(sockets(relay)).open()) {
      var first = new RecordingSink();
      var second = new RecordingSink();

      untrusted.eval(RedisIT.ADD, new byte[] {'k'}, new byte[][] {{'5'}}, first);
      misnamed.eval(RedisIT.ADD, new byte[] {'k'}, new byte[][] {{'5'}}, second);

      assertThat(first.failure().isAmbiguous()).isFalse();
      assertThat(second.failure().isAmbiguous()).isFalse();
      assertThat(untrusted.stats().connects()).isZero();
      assertThat(misnamed.stats().connects()).isZero();
    }
  }

  private static RedisBuilder builder(String to, TlsRelay relay) {
    return Redis.builder(RedisUrl.parse(to + relay.port()))
        .budget(Duration.ofSeconds(5))
        .connectTimeout(Duration.ofSeconds(5));
  }

  private static SSLSocketFactory sockets(TlsRelay relay) {
    return relay.context().getSocketFactory();
  }
}
