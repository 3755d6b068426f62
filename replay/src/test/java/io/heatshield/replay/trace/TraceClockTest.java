package io.heatshield.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceClockTest {
  private static final long SECOND = 1_000_000_000L;
  private final TraceClock clock = new TraceClock();

  @Test
  void at_timeThatStepsBack_countsAtTheTimeReached() {
    clock.at(100 * SECOND);
    clock.at(105 * SECOND);

    assertThat(clock.at(103 * SECOND)).isEqualTo(5 * SECOND);
    assertThat(clock.at(106 * SECOND)).isEqualTo(6 * SECOND);
    assertThat(clock.backwards()).isEqualTo(1);
    assertThat(clock.farthestBackNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void at_oneLineFromTheFuture_isNotBelieved() {
    clock.at(0);

    assertThat(clock.at(1_000_000 * SECOND)).isZero();
    assertThat(clock.at(SECOND)).isEqualTo(SECOND);
    assertThat(clock.leaps()).isEqualTo(1);
  }

  @Test
  void at_leapThatManyLinesConfirm_isBelieved() {
    clock.at(0);
    long last = 0;
    for (int i = 0; i < TraceClock.CONFIRM_LEAP; i++) {
      last = clock.at(1_000_000 * SECOND + i);
    }

    assertThat(last).isEqualTo(1_000_000 * SECOND + TraceClock.CONFIRM_LEAP - 1);
  }

  @Test
  void at_firstLineLies_timeGoesOnAtThePaceOfTheOthers() {
    clock.at(4_000_000 * SECOND);
    for (int i = 0; i < TraceClock.CONFIRM_BACK; i++) {
      assertThat(clock.at((long) i * SECOND)).isZero();
    }

    assertThat(clock.rebased()).isEqualTo(1);
    assertThat(clock.at((TraceClock.CONFIRM_BACK + 4L) * SECOND)).isEqualTo(5 * SECOND);
  }

  @Test
  void at_extremes_neverRunsBackwards() {
    long[] times = {0, TimeText.LATEST, 1, TimeText.LATEST, 0};
    long before = 0;
    for (int i = 0; i < 1000; i++) {
      long now = clock.at(times[i / 100 % times.length]);

      assertThat(now).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(TimeText.LATEST);
      before = now;
    }
  }
}
