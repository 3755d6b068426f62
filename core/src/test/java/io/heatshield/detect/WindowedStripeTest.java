package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowedStripeTest {
  private static final long MAX = Integer.MAX_VALUE;

  private final WindowedStripe stripe = new WindowedStripe(64, 2, 2, 1);

  @Test
  void add_pastTheCeiling_stopsThereAndTells() {
    stripe.add(7, MAX, 0);

    long estimate = stripe.add(7, MAX, 0);

    assertThat(estimate).isEqualTo(MAX);
    assertThat(stripe.isSaturated(7, 0)).isTrue();
    assertThat(stripe.isSaturated(8, 0)).isFalse();
  }

  @Test
  void estimate_ofAnOlderPartAtTheCeiling_isNotReducedBelowWhatItHolds() {
    stripe.add(7, MAX, 0);
    stripe.add(7, MAX, 1);

    assertThat(WindowedStripe.whole(stripe.estimate(7, 2))).isEqualTo(MAX);
    assertThat(WindowedStripe.whole(stripe.estimate(7, 3))).isEqualTo(MAX);
    assertThat(WindowedStripe.whole(stripe.estimate(7, 4))).isZero();
    assertThat(stripe.isSaturated(7, 4)).isFalse();
  }

  @Test
  void add_withAnOlderEpoch_countsInThePresentOne() {
    stripe.add(7, 1, 5);

    long estimate = stripe.add(7, 1, 3);

    assertThat(estimate).isEqualTo(2);
    assertThat(WindowedStripe.whole(stripe.estimate(7, 7))).isEqualTo(2);
    assertThat(WindowedStripe.whole(stripe.estimate(7, 8))).isZero();
  }

  @Test
  void add_withAnOlderEpochWhileBlocksTurn_countsInThePresentOne() {
    var wide = new WindowedStripe(4096, 2, 2, 1);
    long key = 0x0123456789abcdefL;
    wide.add(key, 3, 0);
    wide.add(42, 1, 1);

    wide.add(key, 1, 0);

    assertThat(WindowedStripe.whole(wide.estimate(key, 2))).isEqualTo(4);
    assertThat(WindowedStripe.whole(wide.estimate(key, 3))).isEqualTo(1);
  }

  @Test
  void estimate_ofAKeyThatSleptWhileOthersTurned_isExact() {
    stripe.add(7, 10, 0);

    for (int i = 0; i < 1_000; i++) {
      stripe.add(8, 1, 1);
    }

    assertThat(WindowedStripe.whole(stripe.estimate(7, 1))).isEqualTo(10);
    assertThat(WindowedStripe.whole(stripe.estimate(7, 2))).isEqualTo(10);
    assertThat(WindowedStripe.whole(stripe.estimate(7, 3))).isZero();
  }

  @Test
  void addExact_ofASlotThatChangedHands_countsTheLaterKeyOnly() {
    var before = new Audit.Followed(7, 1, 1, 0);
    var after = new Audit.Followed(8, 1, 2, 0);
    stripe.add(7, 1, 0);
    stripe.addExact(before.number, before.generation, 5, 1, 0);

    stripe.addExact(after.number, after.generation, 1, 1, 0);
    stripe.addExact(before.number, before.generation, 5, 1, 0);

    assertThat(stripe.exact(after, 0)).isEqualTo(1);
    assertThat(stripe.exact(before, 0)).isZero();
  }

  @Test
  void addExact_ofNobodyInANewGeneration_forgetsTheBar() {
    stripe.addExact(0, 0, 1, 5, 0);
    stripe.setBar(6);

    assertThat(stripe.addExact(0, 0, 1, 5, 0)).isFalse();
    assertThat(stripe.addExact(0, 0, 1, 6, 0)).isTrue();
    assertThat(stripe.addExact(0, 1, 1, 5, 0)).isTrue();
  }

  @Test
  void tryLockAfterVisit_ofAStripeInTouch_isRefused() {
    stripe.tryLock();

    assertThat(stripe.tryLockAfterVisit()).isFalse();
  }

  @Test
  void tryLockAfterVisit_ofAStripeWhoseVisitLasts_isRefusedAndLeavesTheLock() {
    stripe.lock();

    assertThat(stripe.tryLockAfterVisit()).isFalse();
    assertThat(stripe.tryLock()).isFalse();
  }

  @Test
  void tryLockAfterVisit_ofAStripeWhoseVisitIsOver_takesIt() {
    stripe.lock();
    stripe.unlock();

    assertThat(stripe.tryLockAfterVisit()).isTrue();
    assertThat(stripe.tryLock()).isFalse();
  }
}
