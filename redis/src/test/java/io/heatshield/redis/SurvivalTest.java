package io.heatshield.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.redis.ScriptedRedis;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads of a client go on after what nobody foresaw. */
class SurvivalTest {
  private static final long PATIENCE_SECONDS = 30;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lane_afterAnErrorWhileItConnects_connectsAllTheSame(boolean probing)
      throws InterruptedException {
    try (var server = ScriptedRedis.start(words -> "+PONG\r\n")) {
      Settings settings = settings(server);
      Breaker breaker = settings.breaker();
      if (probing) {
        breaker.trip();
      }
      var asked = new AtomicInteger();
      var connected = new CountDownLatch(1);
      Endpoint endpoint =
          () -> {
            if (asked.getAndIncrement() < 2) {
              throw new StackOverflowError("on purpose");
            }
            connected.countDown();
            return new Address("127.0.0.1", server.port());
          };
      var lane = new Lane("lane", endpoint, breaker, new Nowhere(), settings);

      lane.start();
      try {
        assertThat(connected.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      } finally {
        lane.close();
        lane.abandon();
      }
    }
  }

  @Test
  void deadlines_afterAnErrorOfTheRoute_areLookedAtAgain() throws InterruptedException {
    var looks = new CountDownLatch(3);
    var route =
        new Nowhere() {
          @Override
          public long expire(long now, long otherwise) {
            looks.countDown();
            throw new StackOverflowError("on purpose");
          }
        };
    try (var server = ScriptedRedis.start(words -> "+PONG\r\n")) {
      var deadlines = new Deadlines(route, settings(server));

      deadlines.start();
      try {
        assertThat(looks.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      } finally {
        deadlines.close();
      }
    }
  }

  private static Settings settings(ScriptedRedis server) {
    return Settings.of(
        Redis.builder(RedisUrl.parse("redis://127.0.0.1:" + server.port()))
            .connectTimeout(Duration.ofSeconds(PATIENCE_SECONDS)));
  }

  /** A way that no command takes. */
  private static class Nowhere implements Route {
    @Override
    public void submit(Command command) {}

    @Override
    public void redirect(Command command, String reply, Address by) {}

    @Override
    public void doubt() {}

    @Override
    public boolean isUp() {
      return false;
    }

    @Override
    public long expire(long now, long otherwise) {
      return otherwise;
    }

    @Override
    public void close() {}
  }
}
