package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowedStripeTest {
  private static final int MAX = Integer.MAX_VALUE;

  private final WindowedStripe stripe = new WindowedStripe(64, 2, 2, 1);

  @Test
  void add_aboveTheCeiling_stopsAndIsSaturated() {
    stripe.add(7, MAX, 0);

    long estimate = stripe.add(7, MAX, 0);

    assertThat(WindowedStripe.total(estimate)).isEqualTo(MAX);
    assertThat(stripe.isSaturated(7, 0)).isTrue();
    assertThat(stripe.isSaturated(8, 0)).isFalse();
  }

  @Test
  void estimate_olderPartAtTheCeiling_isNotBelowTheCount() {
    stripe.add(7, MAX, 0);
    stripe.add(7, MAX, 1);

    assertThat(WindowedStripe.total(stripe.estimate(7, 2))).isEqualTo(MAX);
    assertThat(WindowedStripe.total(stripe.estimate(7, 3))).isEqualTo(MAX);
    assertThat(WindowedStripe.total(stripe.estimate(7, 4))).isZero();
    assertThat(stripe.isSaturated(7, 4)).isFalse();
  }

  @Test
  void add_olderEpoch_countsInTheCurrentEpoch() {
    stripe.add(7, 1, 5);

    long estimate = stripe.add(7, 1, 3);

    assertThat(WindowedStripe.total(estimate)).isEqualTo(2);
    assertThat(WindowedStripe.total(stripe.estimate(7, 7))).isEqualTo(2);
    assertThat(WindowedStripe.total(stripe.estimate(7, 8))).isZero();
  }

  @Test
  void add_olderEpochWhileBlocksTurn_countsInTheCurrentEpoch() {
    var wide = new WindowedStripe(4096, 2, 2, 1);
    long key = 0x0123456789abcdefL;
    wide.add(key, 3, 0);
    wide.add(42, 1, 1);

    wide.add(key, 1, 0);

    assertThat(WindowedStripe.total(wide.estimate(key, 2))).isEqualTo(4);
    assertThat(WindowedStripe.total(wide.estimate(key, 3))).isEqualTo(1);
  }

  @Test
  void estimate_idleKeyWhileOthersTurn_isExact() {
    stripe.add(7, 10, 0);

    for (int i = 0; i < 1_000; i++) {
      stripe.add(8, 1, 1);
    }

    assertThat(WindowedStripe.total(stripe.estimate(7, 1))).isEqualTo(10);
    assertThat(WindowedStripe.total(stripe.estimate(7, 2))).isEqualTo(10);
    assertThat(WindowedStripe.total(stripe.estimate(7, 3))).isZero();
  }

  @Test
  void reset_numberWithCountsInEveryPane_clearsAll() {
    for (int epoch = 0; epoch < 3; epoch++) {
      stripe.add(7, 5, epoch);
      stripe.addExact(0, 5, 5, 0);
    }

    stripe.reset(0, 40);

    assertThat(stripe.exact(0, 2)).isZero();
    assertThat(stripe.exact(0, 3)).isZero();
    assertThat(stripe.age(0, 42)).isEqualTo(2);
    assertThat(stripe.addExact(0, 1, 1, 0)).isTrue();
  }

  @Test
  void addExact_growingEstimate_isDuePerSixteenthAndAtTheFirstTouchOfAPane() {
    boolean first = stripe.addExact(0, 1, 160, 0);
    stripe.keepVerdict(0, 160, 0);

    assertThat(first).isTrue();
    assertThat(stripe.addExact(0, 1, 170, 0)).isFalse();
    assertThat(stripe.addExact(0, 1, 171, 0)).isTrue();
    stripe.add(7, 1, 1);
    assertThat(stripe.addExact(0, 1, 1, 0)).isTrue();
  }

  @Test
  void keepVerdict_ofAnEarlierPane_changesNothing() {
    stripe.add(7, 1, 1);

    stripe.keepVerdict(0, 160, 0);

    assertThat(stripe.addExact(0, 1, 1, 0)).isTrue();
  }

  @Test
  void keepVerdict_ofEarlierCounts_keepsTheLaterOne() {
    stripe.keepVerdict(0, 320, 0);

    stripe.keepVerdict(0, 160, 0);

    assertThat(stripe.addExact(0, 1, 340, 0)).isFalse();
  }

  @Test
  void addExact_aboveTheCeiling_stopsAtTheCeiling() {
    stripe.addExact(0, MAX, MAX, 0);

    stripe.addExact(0, MAX, MAX, 0);

    assertThat(stripe.exact(0, 0)).isEqualTo(MAX);
  }

  @Test
  void tryLockAfterVisit_lockedByATouch_returnsFalse() {
    stripe.tryLock();

    assertThat(stripe.tryLockAfterVisit()).isFalse();
  }

  @Test
  void tryLockAfterVisit_longVisit_returnsFalseAndKeepsTheLock() {
    stripe.lock();

    assertThat(stripe.tryLockAfterVisit()).isFalse();
    assertThat(stripe.tryLock()).isFalse();
  }

  @Test
  void tryLockAfterVisit_visitIsOver_locks() {
    stripe.lock();
    stripe.unlock();

    assertThat(stripe.tryLockAfterVisit()).isTrue();
    assertThat(stripe.tryLock()).isFalse();
  }
}
