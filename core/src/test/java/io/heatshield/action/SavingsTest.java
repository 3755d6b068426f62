package io.heatshield.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class SavingsTest {

  @Test
  void apply_off_countsNothingAndReturnsFalse() {
    Action action = new Savings().action("coalesce", "api", Mode.OFF);

    boolean act = action.apply(3);

    assertThat(act).isFalse();
    assertThat(action.snapshot())
        .isEqualTo(new Action.Snapshot("coalesce", "api", Mode.OFF, 0, 0, 0, 0));
  }

  @Test
  void apply_observe_countsAsEnforceAndReturnsFalse() {
    Action observing = new Savings().action("coalesce", "api", Mode.OBSERVE);
    Action enforcing = new Savings().action("coalesce", "api", Mode.ENFORCE);

    for (int calls = 0; calls < 5; calls++) {
      assertThat(observing.apply(calls)).isFalse();
      assertThat(enforcing.apply(calls)).isTrue();
    }

    Action.Snapshot observed = observing.snapshot();
    Action.Snapshot enforced = enforcing.snapshot();
    assertThat(observed.wouldHaveApplied()).isEqualTo(enforced.applied()).isEqualTo(5);
    assertThat(observed.wouldHaveSaved()).isEqualTo(enforced.saved()).isEqualTo(10);
    assertThat(observed.applied() + observed.saved()).isZero();
    assertThat(enforced.wouldHaveApplied() + enforced.wouldHaveSaved()).isZero();
  }

  @Test
  void mode_changed_appliesToTheNextCallAndKeepsTheCounts() {
    Action action = new Savings().action("clamp", "store", Mode.OBSERVE);
    action.apply(1);

    action.mode(Mode.ENFORCE);

    assertThat(action.apply(1)).isTrue();
    assertThat(action.snapshot())
        .isEqualTo(new Action.Snapshot("clamp", "store", Mode.ENFORCE, 1, 1, 1, 1));
  }

  @Test
  void action_sameNameAndScope_returnsTheSameObject() {
    var savings = new Savings();

    Action first = savings.action("clamp", "a", Mode.OFF);

    assertThat(savings.action("clamp", "a", Mode.ENFORCE)).isSameAs(first);
    assertThat(savings.action("clamp", "b", Mode.OFF)).isNotSameAs(first);
  }

  @Test
  void action_moreThanTheMaximum_throws() {
    var savings = new Savings();
    for (int i = 0; i < Savings.MAX_ACTIONS; i++) {
      savings.action("clamp", "scope" + i, Mode.OFF);
    }

    assertThatIllegalStateException()
        .isThrownBy(() -> savings.action("clamp", "one more", Mode.OFF))
        .withMessage("number of actions must be at most 4096");
  }

  @Test
  void snapshot_severalActions_isOrderedByScopeThenName() {
    var savings = new Savings();
    savings.action("b", "z", Mode.OFF);
    savings.action("a", "z", Mode.OFF);
    savings.action("c", "y", Mode.OFF);

    assertThat(savings.snapshot())
        .extracting(s -> s.scope() + s.name())
        .containsExactly("yc", "za", "zb");
  }
}
