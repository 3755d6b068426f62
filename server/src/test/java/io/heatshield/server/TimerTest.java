package io.heatshield.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimerTest {

  @Test
  void every_taskThatThrowsAnError_runsAgain() throws InterruptedException {
    var timer = new Timer();
    var runs = new CountDownLatch(3);

    timer.every(
        Duration.ofMillis(1),
        () -> {
          runs.countDown();
          throw new AssertionError("fails on purpose");
        });

    assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();
    timer.stop(Duration.ofSeconds(5));
  }
}
