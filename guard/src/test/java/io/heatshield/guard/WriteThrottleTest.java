package io.heatshield.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteThrottleTest {
  private final GuardSubject subject = new GuardSubject();
  private final BytesKey key = subject.key("k");

  @Test
  void tryWrite_overTheLimit_returnsTheTimeToWait() {
    WriteThrottle throttle = throttle(Mode.ENFORCE, 2);
    long before = write(throttle);
    before += write(throttle);

    long wait = write(throttle);
    boolean exhausted = throttle.isExhausted(key.bytes(), key.hash());
    subject.ticker.advance(Duration.ofMillis(wait));

    assertThat(before).isZero();
    assertThat(wait).isBetween(1L, GuardSubject.WINDOW.toMillis());
    assertThat(exhausted).isTrue();
    assertThat(write(throttle)).isZero();
    assertThat(throttle.throttled()).isEqualTo(1);
  }

  @Test
  void tryWrite_ofAnotherKey_isNotRefused() {
    WriteThrottle throttle = throttle(Mode.ENFORCE, 1);
    write(throttle);
    BytesKey other = subject.key("other");

    long wait = throttle.tryWrite(other.bytes(), other.hash());

    assertThat(wait).isZero();
  }

  @Test
  void tryWrite_inObserve_isNeverRejectedAndCountsRejections() {
    WriteThrottle throttle = throttle(Mode.OBSERVE, 1);

    write(throttle);
    long wait = write(throttle);

    assertThat(wait).isZero();
    assertThat(throttle.throttled()).isZero();
    assertThat(throttle.isExhausted(key.bytes(), key.hash())).isFalse();
    assertThat(subject.savings.snapshot().get(0).wouldHaveSaved()).isEqualTo(1);
  }

  @Test
  void tryWrite_whenOff_countsNothing() {
    WriteThrottle throttle = throttle(Mode.OFF, 1);

    write(throttle);
    long wait = write(throttle);

    assertThat(wait).isZero();
    assertThat(throttle.ring().count(key.bytes())).isZero();
  }

  @Test
  void tryWrite_ofAKeyThatIsHotInTheFleet_isLimitedToThisNodesShare() {
    WriteThrottle throttle = throttle(Mode.ENFORCE, 6);
    subject.fleet.replace(List.of(key.bytes()), 3);
    write(throttle);
    write(throttle);

    long third = write(throttle);
    subject.fleet.replace(List.of(), 3);

    assertThat(third).isPositive();
    assertThat(write(throttle)).isZero();
  }

  @Test
  void tune_toAnotherLimit_appliesToTheNextWrite() {
    WriteThrottle throttle = throttle(Mode.ENFORCE, 1);
    write(throttle);
    long refused = write(throttle);

    throttle.tune(Mode.ENFORCE, 5);

    assertThat(refused).isPositive();
    assertThat(write(throttle)).isZero();
  }

  private long write(WriteThrottle throttle) {
    return throttle.tryWrite(key.bytes(), key.hash());
  }

  private WriteThrottle throttle(Mode mode, long perWindow) {
    return new WriteThrottle(subject.context, subject.ring(), GuardSubject.WINDOW, mode, perWindow);
  }
}
