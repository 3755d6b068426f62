package io.heatshield.data.command.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {
  private static final String ANNA = "anna";

  private final FailedLogins failed = new FailedLogins();

  @Test
  void fail_onFreshConnectionsOfOneAddress_doublesTheDelayUpToASecond() {
    LongStream delays = LongStream.range(0, 10).map(i -> failed.fail("10.0.0.1:" + i, ANNA, i));

    assertThat(delays).containsExactly(8L, 16L, 32L, 64L, 128L, 256L, 512L, 1024L, 1024L, 1024L);
  }

  @Test
  void fail_ofAnotherAddressOrUser_startsWithTheShortestDelay() {
    failed.fail("10.0.0.1:1", ANNA, 0);

    assertThat(failed.fail("10.0.0.2:1", ANNA, 0)).isEqualTo(8);
    assertThat(failed.fail("10.0.0.1:2", "bert", 0)).isEqualTo(8);
  }

  @Test
  void fail_ofAnIpv6Network_countsItsAddressesTogether() {
    failed.fail("[2001:db8:1:2::1]:1", ANNA, 0);

    assertThat(failed.fail("[2001:db8:1:2:ffff::2]:1", ANNA, 0)).isEqualTo(16);
    assertThat(failed.fail("[2001:db8:1:3::1]:1", ANNA, 0)).isEqualTo(8);
  }

  @Test
  void fail_afterAMinuteWithoutOne_startsWithTheShortestDelay() {
    failed.fail("10.0.0.1:1", ANNA, 0);

    assertThat(failed.fail("10.0.0.1:1", ANNA, Duration.ofSeconds(61).toNanos())).isEqualTo(8);
  }

  @Test
  void mayTry_whileManyAnswersWait_isFalseForThatAddressAndUserOnly() {
    for (int i = 0; i < FailedLogins.MAX_WAITING; i++) {
      assertThat(failed.mayTry("10.0.0.1:" + i, ANNA)).isTrue();
      failed.fail("10.0.0.1:" + i, ANNA, 0);
    }

    assertThat(failed.mayTry("10.0.0.1:99", ANNA)).isFalse();
    assertThat(failed.mayTry("10.0.0.2:99", ANNA)).isTrue();
    assertThat(failed.mayTry("10.0.0.1:99", "bert")).isTrue();
    failed.answered("10.0.0.1:0", ANNA);
    assertThat(failed.mayTry("10.0.0.1:99", ANNA)).isTrue();
  }

  @Test
  void fail_byTooManyNames_usesBoundedMemoryAndKeepsDelays() {
    failed.fail("10.0.0.1:1", ANNA, 0);

    for (int i = 0; i < 2 * FailedLogins.MAX_ORIGINS; i++) {
      failed.fail("10.0.0.1:1", "user" + i, 0);
    }

    assertThat(failed.fail("10.0.0.1:1", ANNA, 0)).isEqualTo(1024);
  }

  @Test
  void fail_fromTooManyAddresses_dropsTheOldest() {
    failed.fail("10.0.0.1:1", ANNA, 0);

    for (int i = 0; i < FailedLogins.MAX_ORIGINS; i++) {
      failed.fail("172." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255) + ":1", ANNA, 0);
    }

    assertThat(failed.fail("10.0.0.1:1", ANNA, 0)).isEqualTo(8);
  }
}
