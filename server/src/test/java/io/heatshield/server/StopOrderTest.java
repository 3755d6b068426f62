package io.heatshield.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StopOrderTest {
  private final StopOrder parts = new StopOrder();
  private final List<String> stopped = Collections.synchronizedList(new ArrayList<>());

  @Test
  void stop_ofParts_stopsTheLastFirst() {
    parts.add("first", deadline -> stopped.add("first"));
    parts.add("second", deadline -> stopped.add("second"));

    boolean fine = parts.stop(Duration.ofMinutes(1));

    assertThat(fine).isTrue();
    assertThat(stopped).containsExactly("second", "first");
    assertThat(parts.stop(Duration.ofMinutes(1))).isTrue();
  }

  @Test
  void stop_ofAPartThatFails_stopsTheOthers() {
    parts.add("first", deadline -> stopped.add("first"));
    parts.add(
        "second",
        deadline -> {
          throw new IllegalStateException("on purpose");
        });

    boolean fine = parts.stop(Duration.ofMinutes(1));

    assertThat(fine).isFalse();
    assertThat(stopped).containsExactly("first");
  }

  @Test
  void stop_ofAPartThatHangs_leavesTimeForTheOthers() {
    var never = new CountDownLatch(1);
    var given = new ArrayList<Duration>();
    parts.add(
        "first",
        deadline -> {
          given.add(deadline);
          stopped.add("first");
        });
    parts.add(
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

    boolean fine = parts.stop(Duration.ofMillis(500));
    never.countDown();

    assertThat(fine).isFalse();
    assertThat(stopped).containsExactly("first");
    assertThat(given.get(0)).isPositive();
  }
}
