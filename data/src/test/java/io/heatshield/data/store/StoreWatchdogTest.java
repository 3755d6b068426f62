package io.heatshield.data.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heatshield.runtime.health.Health;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class StoreWatchdogTest {
  private static final Duration LOOK = Duration.ofMillis(500);

  private final FakeTicker ticker = new FakeTicker();
  private final Health health = new Health();
  private final GuardedStore store =
      GuardedStore.over(new MemoryEngine(1 << 20)).ticker(ticker::nanos).withoutUpkeep().build();
  private final StoreWatchdog watchdog = new StoreWatchdog(Map.of("main", store), health);
  private final ExecutorService caller =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "a caller"));
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(StoreWatchdog.class);

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void end() {
    logger.detachAppender(lines);
    caller.shutdown();
    store.close();
  }

  @Test
  void check_whileACallHangs_isNotReadyAndLogsTheStackOnce() throws Exception {
    var hang = new Hang();
    Future<?> call = caller.submit(hang::run);
    hang.entered.await(1, TimeUnit.MINUTES);

    look(9);
    List<String> early = health.missing();
    look(6);
    List<String> late = health.missing();
    hang.release.countDown();
    call.get(1, TimeUnit.MINUTES);
    look(1);

    assertThat(early).isEmpty();
    assertThat(late).containsExactly("store main: a call to its engine has been running for 7 s");
    assertThat(health.missing()).isEmpty();
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "store main is not ready: a call to its engine has been running for 5 s in thread a"
                + " caller",
            "store main: the call to its engine ended after 7 s, the store is ready again");
    assertThat(lines.list.get(0).getThrowableProxy().getStackTraceElementProxyArray())
        .anyMatch(frame -> frame.getSTEAsString().contains("Hang.run"));
  }

  @Test
  void check_ofCallsThatEnd_staysReady() throws Exception {
    for (int i = 0; i < 30; i++) {
      var hang = new Hang();
      Future<?> call = caller.submit(hang::run);
      hang.entered.await(1, TimeUnit.MINUTES);
      look(1);
      hang.release.countDown();
      call.get(1, TimeUnit.MINUTES);
    }

    assertThat(health.missing()).isEmpty();
    assertThat(lines.list).isEmpty();
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      watchdog.look();
      ticker.advance(LOOK);
    }
  }

  /** A call that waits until the test releases it. */
  private final class Hang {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);

    void run() {
      byte[] key = "k".getBytes(StandardCharsets.UTF_8);
      store
          .update(
              key,
              store.hash().hash(key),
              view -> {
                entered.countDown();
                try {
                  return release.await(1, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              })
          .toCompletableFuture()
          .join();
    }
  }
}
