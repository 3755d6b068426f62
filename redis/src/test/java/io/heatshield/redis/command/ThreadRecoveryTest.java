package io.heatshield.redis.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.redis.connection.Address;
import io.heatshield.redis.connection.ConnectionFactory;
import io.heatshield.redis.connection.Endpoint;
import io.heatshield.testkit.redis.ScriptedRedis;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;

/** The threads of a client survive unexpected errors. */
class ThreadRecoveryTest {
  private static final long PATIENCE_SECONDS = 30;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lane_afterAnErrorWhileItConnects_connects(boolean probing) throws InterruptedException {
    try (var server = ScriptedRedis.start(words -> "+PONG\r\n")) {
      ClientSettings settings = settings();
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
      var lane = new Lane("lane", endpoint, breaker, new NoRoute(), settings);

      lane.start();
      try {
        assertThat(connected.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      } finally {
        lane.close();
        lane.awaitClosed();
      }
    }
  }

  @Test
  void timer_afterAnErrorOfTheRoute_checksAgain() throws InterruptedException {
    var looks = new CountDownLatch(3);
    var route =
        new NoRoute() {
          @Override
          public long expire(long now, long mostNanos) {
            looks.countDown();
            throw new StackOverflowError("on purpose");
          }
        };
    try (var timer = new DeadlineTimer(route, settings())) {
      timer.start();

      assertThat(looks.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static ClientSettings settings() {
    var config = DefaultJedisClientConfig.builder().serverDefaultProtocol().build();
    var connections = new ConnectionFactory(config, null, null);
    long budget = Duration.ofMillis(10).toNanos();
    return new ClientSettings(connections, connections, budget, budget, 2, new ClientCounters());
  }

  /** Drops every command. */
  private static class NoRoute implements Route {
    @Override
    public void submit(Command command) {}

    @Override
    public void redirect(Command command, String reply, Address by) {}

    @Override
    public void refresh() {}

    @Override
    public boolean isUp() {
      return false;
    }

    @Override
    public long expire(long now, long mostNanos) {
      return mostNanos;
    }

    @Override
    public void close() {}
  }
}
