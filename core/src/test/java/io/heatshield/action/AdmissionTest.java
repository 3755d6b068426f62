package io.heatshield.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdmissionTest {

  @Test
  void admitted_withRest_hasNothingToWaitFor() {
    Admission result = Admission.admitted(4);

    assertThat(result.admitted()).isTrue();
    assertThat(result.remaining()).isEqualTo(4);
    assertThat(result.retryAfter()).isZero();
    assertThat(result.retryAfterSeconds()).isZero();
    assertThat(result).isEqualTo(Admission.admitted(4)).hasToString("admitted, 4 remaining");
  }

  @Test
  void refused_withinASecond_roundsTheHeaderUp() {
    Admission result = Admission.refused(1);

    assertThat(result.admitted()).isFalse();
    assertThat(result.remaining()).isZero();
    assertThat(result.retryAfter()).isEqualTo(Duration.ofNanos(1));
    assertThat(result.retryAfterSeconds()).isEqualTo(1);
    assertThat(Admission.refused(2_000_000_000).retryAfterSeconds()).isEqualTo(2);
    assertThat(Admission.refused(2_000_000_001)).hasToString("refused, retry after PT2.000000001S");
  }

  @Test
  void refused_forever_isNever() {
    Admission result = Admission.refused(Long.MAX_VALUE);

    assertThat(result.retryAfter()).isEqualTo(Admission.NEVER);
    assertThat(result.retryAfterSeconds()).isPositive();
  }

  @Test
  void factories_impossibleNumbers_throw() {
    assertThatThrownBy(() -> Admission.admitted(-1))
        .hasMessage("remaining must not be negative: -1");
    assertThatThrownBy(() -> Admission.refused(0)).hasMessage("retryNanos must be at least 1: 0");
  }
}
