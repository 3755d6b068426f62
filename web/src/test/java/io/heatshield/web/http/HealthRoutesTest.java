package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.runtime.health.Health;
import io.heatshield.testkit.client.RawHttp;
import org.junit.jupiter.api.Test;

class HealthRoutesTest {

  @Test
  void questions_followTheReportedState() {
    var health = new Health();
    Health.Check config = health.expect("configuration");
    Health.Check redis = health.expect("redis");
    try (var open =
            new TestServer(table -> table.addAll(HealthRoutes.of(health)), server -> server);
        var client = open.client()) {
      RawHttp.Answer early = client.get("/readyz").answer();
      RawHttp.Answer earlyCheck = client.get("/healthcheck").answer();
      config.pass();
      redis.fail("connection refused");
      RawHttp.Answer partly = client.get("/readyz").answer();
      redis.pass();
      RawHttp.Answer ready = client.get("/readyz").answer();
      RawHttp.Answer check = client.get("/healthcheck").answer();
      redis.warn("does not answer");
      RawHttp.Answer warned = client.get("/readyz").answer();
      health.stopping();
      RawHttp.Answer stopping = client.get("/readyz").answer();
      RawHttp.Answer live = client.get("/livez").answer();

      assertThat(early.status()).isEqualTo(503);
      assertThat(early.body()).isEqualTo("not ready\nconfiguration: not yet\nredis: not yet\n");
      assertThat(earlyCheck.status()).isEqualTo(500);
      assertThat(partly.body()).isEqualTo("not ready\nredis: connection refused\n");
      assertThat(ready.status()).isEqualTo(200);
      assertThat(ready.body()).isEqualTo("ready\n");
      assertThat(warned.status()).isEqualTo(200);
      assertThat(warned.body()).isEqualTo("ready\nredis: does not answer\n");
      assertThat(check.status()).isEqualTo(200);
      assertThat(check.body()).isEqualTo("OK");
      assertThat(stopping.body()).isEqualTo("not ready\nserver: stopping\n");
      assertThat(live.status()).isEqualTo(200);
    }
  }

  @Test
  void expect_twiceTheSameName_isRefused() {
    var health = new Health();
    Health.Check check = health.expect("a");

    assertThatThrownBy(() -> health.expect("a")).hasMessageContaining("new: a");
    assertThatThrownBy(() -> check.fail("two\nlines")).hasMessageContaining("one line");
    assertThat(health.isReady()).isFalse();
  }
}
