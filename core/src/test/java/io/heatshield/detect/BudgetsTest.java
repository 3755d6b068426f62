package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BudgetsTest {
  private static final long HASH = 42;
  private static final int STRIPES = 4;
  private static final int NUMBER = 1;

  private final DetectorSettings settings =
      DetectorSettings.builder()
          .window(Duration.ofSeconds(1))
          .threshold(100)
          .stripes(STRIPES)
          .build();
  private final Stripes stripes = new Stripes(settings, 64);
  private final Pane pane = Pane.first(new Limits(settings), 0);
  private final Budgets budgets = new Budgets(stripes, () -> pane);
  private final Candidate candidate = candidate(1);
  private final Verdict hot = new Verdict(Verdict.Kind.HOT, 100, 100, 0, 100, 0, true);

  @Test
  void share_ofACoolKey_leavesEachStripeAnEqualPartOfTheRest() {
    count(0, 19);

    long sum = budgets.share(candidate);

    assertThat(sum).isEqualTo(19);
    assertThat(rooms(39, 20, 20, 20)).containsOnly(0L);
    assertThat(rooms(40, 21, 21, 21)).allMatch(room -> room < 0);
  }

  @Test
  void share_asOftenAsTouchesAreJudged_isAFewDozenTimesUpToTheThreshold() {
    WindowedStripe stripe = stripes.at(0);
    int shared = 0;

    for (int touch = 1; touch < 100; touch++) {
      long own = stripe.add(HASH, 1, pane.epoch);
      stripe.addExact(NUMBER, candidate.generation, 1, own, 0);
      if (stripe.room(NUMBER, own) < 0) {
        budgets.share(candidate);
        shared++;
      }
    }

    // What is left falls by a quarter each time, and is judged touch by touch when none is left to
    // share.
    assertThat(shared).isBetween(10, 20);
  }

  @Test
  void share_ofAKeyAtTheThreshold_leavesNothing() {
    count(0, 19);
    budgets.share(candidate);
    count(1, 81);

    long sum = budgets.share(candidate);

    assertThat(sum).isEqualTo(100);
    assertThat(rooms(0, 0, 0, 0)).allMatch(room -> room < 0);
  }

  @Test
  void cool_ofAKeyThatWasSharedOut_hasItsNextTouchJudgedEverywhere() {
    budgets.share(candidate);
    budgets.rise(candidate, hot);
    candidate.move(Candidate.RISING, Candidate.HOT);

    boolean fell = budgets.cool(candidate, candidate.moment());

    assertThat(fell).isTrue();
    assertThat(candidate.told).isSameAs(Verdict.COOL);
    assertThat(rooms(0, 0, 0, 0)).allMatch(room -> room < 0);
  }

  @Test
  void cool_byAMomentBeforeALaterRise_leavesTheVerdict() {
    budgets.rise(candidate, hot);
    int before = candidate.moment();
    candidate.move(Candidate.RISING, Candidate.HOT);

    boolean fell = budgets.cool(candidate, before);

    assertThat(fell).isFalse();
    assertThat(candidate.told).isSameAs(hot);
  }

  @Test
  void leave_ofAKeyThatWasSharedOut_hasItsTouchesJudgedForGood() {
    budgets.share(candidate);

    boolean left = budgets.leave(candidate);
    assertThat(rooms(0, 0, 0, 0)).allMatch(room -> room < 0);
    budgets.share(candidate);
    boolean rose = budgets.rise(candidate, hot);

    assertThat(left).isTrue();
    assertThat(rose).isFalse();
    assertThat(candidate.told).isSameAs(Verdict.COOL);
    assertThat(rooms(0, 0, 0, 0)).allMatch(room -> room < 0);
  }

  @Test
  void leave_ofAKeyOfWhichAStripeHasItsShare_flagsIt() {
    count(2, 24);
    budgets.leave(candidate(2));
    assertThat(pane.isWarm(Slot.mix(HASH))).isFalse();

    count(2, 1);
    budgets.leave(candidate(3));

    assertThat(pane.isWarm(Slot.mix(HASH))).isTrue();
  }

  @Test
  void leave_ofAHotKey_isRefused() {
    budgets.rise(candidate, hot);

    assertThat(budgets.leave(candidate)).isFalse();
    assertThat(candidate.told).isSameAs(hot);
  }

  @Test
  void addExact_ofALaterKeyUnderTheNumber_isJudged() {
    budgets.share(candidate);
    WindowedStripe stripe = stripes.at(0);

    stripe.addExact(NUMBER, 2, 1, 1, 0);

    assertThat(stripe.room(NUMBER, 1)).isNegative();
  }

  @Test
  void close_hasAllJudgedButWhoHasNoPlace() {
    budgets.share(candidate);

    budgets.close();

    assertThat(rooms(0, 0, 0, 0)).allMatch(room -> room < 0);
    assertThat(stripes.at(0).room(0, 1_000)).isPositive();
  }

  @Test
  void doubt_ofAKeyThatIsHot_changesNothing() {
    budgets.rise(candidate, hot);

    budgets.doubt(candidate, pane.untrackedUncertain);

    assertThat(candidate.told).isSameAs(hot);
  }

  private void count(int stripe, int touches) {
    long unused = stripes.at(stripe).add(HASH, touches, pane.epoch);
  }

  private List<Long> rooms(long... estimates) {
    return IntStream.range(0, STRIPES)
        .mapToObj(i -> stripes.at(i).room(NUMBER, estimates[i]))
        .toList();
  }

  private static Candidate candidate(int generation) {
    return new Candidate(HASH, NUMBER, generation, StoredKey.copyOf(new byte[1], HASH, 64), 0);
  }
}
