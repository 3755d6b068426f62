package io.heatshield.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CoarseClockTest {
  private final AtomicLong source = new AtomicLong(1_000);
  private final CoarseClock clock = new CoarseClock(source::get);

  @Test
  void getAsLong_noRefresh_repeatsTheLastReading() {
    source.set(1_999);

    assertThat(clock.getAsLong()).isEqualTo(1_000);

    clock.refresh();

    assertThat(clock.getAsLong()).isEqualTo(1_999);
  }

  @Test
  void refresh_sourceSetBack_goesBack() {
    source.set(400);

    clock.refresh();

    assertThat(clock.getAsLong()).isEqualTo(400);
  }
}
