package io.heatshield.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateTest {

  @Test
  void perMinute_anyNumber_isARateOfAMinute() {
    Rate rate = Rate.perMinute(30);

    assertThat(rate).isEqualTo(new Rate(30, Duration.ofSeconds(60))).hasToString("30 per PT1M");
    assertThat(rate.inASecond()).isEqualTo(0.5);
    assertThat(Rate.perSecond(0).inASecond()).isZero();
  }

  @Test
  void constructor_outOfRange_throws() {
    assertThatThrownBy(() -> Rate.perHour(-1)).hasMessage("touches must not be negative: -1");
    assertThatThrownBy(() -> new Rate(1, Duration.ZERO))
        .hasMessage("per must be above 0 and at most PT8784H: PT0S");
    assertThatThrownBy(() -> new Rate(1, Duration.ofDays(367)))
        .hasMessage("per must be above 0 and at most PT8784H: PT8808H");
  }
}
