package io.heatshield.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdmissionTest {

  @Test
  void admitted_belowTheLimit_hasNothingToWaitFor() {
    Admission result = Admission.admitted(1, 5);

    assertThat(result.admitted()).isTrue();
    assertThat(result.tracked()).isTrue();
    assertThat(result.count()).isEqualTo(1);
    assertThat(result.remaining()).isEqualTo(4);
    assertThat(result.retryAfter()).isZero();
    assertThat(result.retryAfterSeconds()).isZero();
    assertThat(result).hasToString("1 of 5, admitted");
  }

  @Test
  void refused_withinASecond_roundsTheHeaderUp() {
    Admission result = Admission.refused(5, 5, 1);

    assertThat(result.admitted()).isFalse();
    assertThat(result.count()).isEqualTo(5);
    assertThat(result.remaining()).isZero();
    assertThat(result.retryAfter()).isEqualTo(Duration.ofNanos(1));
    assertThat(result.retryAfterSeconds()).isEqualTo(1);
    assertThat(Admission.refused(5, 5, 2_000_000_000).retryAfterSeconds()).isEqualTo(2);
    assertThat(Admission.refused(5, 5, 2_000_000_001).retryAfterSeconds()).isEqualTo(3);
    assertThat(Admission.refused(5, 5, 12_000_000_000L)).hasToString("5 of 5, refused for PT12S");
  }

  @Test
  void refused_forever_isNever() {
    Admission result = Admission.refused(0, 0, Long.MAX_VALUE);

    assertThat(result.retryAfter()).isEqualTo(Admission.NEVER);
    assertThat(result.retryAfterSeconds()).isPositive();
  }

  @Test
  void untracked_admittedOrRefused_hasNoCount() {
    Admission admitted = Admission.untracked(5, 0);
    Admission refused = Admission.untracked(5, 7);

    assertThat(admitted.admitted()).isTrue();
    assertThat(admitted.tracked()).isFalse();
    assertThat(admitted.remaining()).isEqualTo(5);
    assertThat(refused.admitted()).isFalse();
    assertThat(refused.remaining()).isZero();
    assertThat(refused).hasToString("0 of 5, refused for PT0.000000007S, untracked");
  }

  @Test
  void refused_withoutAWait_throws() {
    assertThatThrownBy(() -> Admission.refused(5, 5, 0))
        .hasMessage("retryNanos must be at least 1: 0");
  }
}
