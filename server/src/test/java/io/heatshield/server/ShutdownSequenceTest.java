package io.heatshield.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ShutdownSequenceTest {
  private final ShutdownSequence shutdown = new ShutdownSequence();
  private final List<String> stopped = Collections.synchronizedList(new ArrayList<>());

  @Test
  void stop_components_inReverseOrder() {
    shutdown.add("first", deadline -> stopped.add("first"));
    shutdown.add("second", deadline -> stopped.add("second"));

    boolean clean = shutdown.stop(Duration.ofMinutes(1));

    assertThat(clean).isTrue();
    assertThat(stopped).containsExactly("second", "first");
    assertThat(shutdown.stop(Duration.ofMinutes(1))).isTrue();
  }

  @Test
  void stop_failingComponent_stopsTheOthers() {
    shutdown.add("first", deadline -> stopped.add("first"));
    shutdown.add(
        "second",
        deadline -> {
          throw new IllegalStateException("on purpose");
        });

    boolean clean = shutdown.stop(Duration.ofMinutes(1));

    assertThat(clean).isFalse();
    assertThat(stopped).containsExactly("first");
  }

  @Test
  void stop_hangingComponent_othersHaveTime() {
    var never = new CountDownLatch(1);
    var given = new ArrayList<Duration>();
    shutdown.add(
        "first",
        deadline -> {
          given.add(deadline);
          stopped.add("first");
        });
    shutdown.add(
        "second",
        deadline -> {
          boolean interrupted = false;
          while (never.getCount() > 0 && !interrupted) {
            try {
              never.await();
            } catch (InterruptedException e) {
              interrupted = true;
            }
          }
        });

    boolean clean = shutdown.stop(Duration.ofMillis(500));
    never.countDown();

    assertThat(clean).isFalse();
    assertThat(stopped).containsExactly("first");
    assertThat(given.get(0)).isPositive();
  }
}
