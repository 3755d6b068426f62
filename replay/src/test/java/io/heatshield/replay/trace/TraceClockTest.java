package io.heatshield.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceClockTest {
  private static final long SECOND = 1_000_000_000L;
  private final TraceClock clock = new TraceClock();

  @Test
  void at_timeThatStepsBack_keepsTheLatestTime() {
    clock.advance(100 * SECOND);
    clock.advance(105 * SECOND);

    assertThat(clock.advance(103 * SECOND)).isEqualTo(5 * SECOND);
    assertThat(clock.advance(106 * SECOND)).isEqualTo(6 * SECOND);
    assertThat(clock.backwards()).isEqualTo(1);
    assertThat(clock.farthestBackNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void at_oneLineFromTheFuture_isIgnored() {
    clock.advance(0);

    assertThat(clock.advance(1_000_000 * SECOND)).isZero();
    assertThat(clock.advance(SECOND)).isEqualTo(SECOND);
    assertThat(clock.leaps()).isEqualTo(1);
  }

  @Test
  void at_leapConfirmedByManyLines_isAccepted() {
    clock.advance(0);
    long last = 0;
    for (int i = 0; i < TraceClock.CONFIRM_LEAP; i++) {
      last = clock.advance(1_000_000 * SECOND + i);
    }

    assertThat(last).isEqualTo(1_000_000 * SECOND + TraceClock.CONFIRM_LEAP - 1);
  }

  @Test
  void at_wrongFirstLine_followsTheOthers() {
    clock.advance(4_000_000 * SECOND);
    for (int i = 0; i < TraceClock.CONFIRM_BACK; i++) {
      assertThat(clock.advance((long) i * SECOND)).isZero();
    }

    assertThat(clock.rebased()).isEqualTo(1);
    assertThat(clock.advance((TraceClock.CONFIRM_BACK + 4L) * SECOND)).isEqualTo(5 * SECOND);
  }

  @Test
  void at_extremes_neverRunsBackwards() {
    long[] times = {0, TimeText.LATEST, 1, TimeText.LATEST, 0};
    long before = 0;
    for (int i = 0; i < 1000; i++) {
      long now = clock.advance(times[i / 100 % times.length]);

      assertThat(now).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(TimeText.LATEST);
      before = now;
    }
  }
}
