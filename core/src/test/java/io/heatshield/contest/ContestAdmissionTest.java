package io.heatshield.contest;

import static io.heatshield.contest.ContestFixture.WINDOW;
import static io.heatshield.contest.ContestFixture.tracked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contests of newcomers for a slot of a full table. */
class ContestAdmissionTest {
  private final ContestFixture fixture = new ContestFixture();

  @Test
  void touch_newcomerAtAFullTable_evictsAnExpiredEntryFirst() {
    ContestTable table = fixture.table(2);
    ContestFixture.touch(table, "hot but idle", 100);
    Tracked idle = tracked(ContestFixture.touch(table, "hot but idle"));
    fixture.ticker.advance(WINDOW.plusNanos(1));
    Tracked cold = tracked(ContestFixture.touch(table, "cold"));

    Tracked newcomer = ContestFixture.touch(table, "newcomer");

    assertThat(newcomer).isNotNull();
    assertThat(idle.isEvicted()).isTrue();
    assertThat(cold.isEvicted()).isFalse();
    assertThat(table.stats()).isEqualTo(new ContestStats(2, 2, 103, 0, 1, 1, 1, 1, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void touch_newcomersWithOneTouch_evictNoBusyEntry(int probes) {
    ContestTable table = ContestFixture.table(fixture.builder(4).probes(probes));
    for (int i = 0; i < 4; i++) {
      ContestFixture.touch(table, "busy:" + i, 50);
    }

    for (int i = 0; i < 20; i++) {
      assertThat(ContestFixture.touch(table, "junk:" + i)).isNull();
    }

    assertThat(table.stats().rejected()).isEqualTo(20);
    assertThat(table.stats().untracked()).isEqualTo(20);
    assertThat(table.stats().evictions()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void touch_repeatedNewcomer_winsASlotWithItsScore(int probes) {
    ContestTable table = ContestFixture.table(fixture.builder(4).probes(probes));
    for (int i = 0; i < 4; i++) {
      ContestFixture.touch(table, "tracked:" + i, 10);
    }

    ContestFixture.touch(table, "newcomer", 20);

    Tracked entry = ContestFixture.find(table, "newcomer");
    assertThat(entry).isNotNull();
    assertThat(entry.rate()).isCloseTo(2, within(1e-5));
    assertThat(table.stats().replaced()).isEqualTo(1);
    assertThat(table.stats().won()).isEqualTo(1);
    assertThat(table.stats().size()).isEqualTo(4);
  }

  @Test
  void rateError_keyThatWonAContest_boundsOtherTouchesAndFalls() {
    ContestTable table = fixture.table(1);
    ContestFixture.touch(table, "first", 10);
    assertThat(table.top(1).get(0).rateError()).isZero();
    ContestFixture.touch(table, "second", 20);
    KeyScore won = table.top(1).get(0);

    // Eleven touches were rejected before the twelfth won; these may be from other keys.
    assertThat(won.rate()).isCloseTo(2.0, within(1e-5));
    assertThat(won.rateError()).isCloseTo(1.1, within(1e-5));
    fixture.ticker.advance(WINDOW);
    var unused = ContestFixture.weigh(table, "second", 100);

    KeyScore later = table.top(1).get(0);
    assertThat(later.rateError()).isCloseTo(1.1 / Math.E, within(1e-5));
    assertThat(later.rate()).isCloseTo((2.0 / Math.E) + 10, within(1e-5));
  }

  @Test
  void touch_evictedKey_continuesFromItsScore() {
    ContestTable table = fixture.table(1);
    ContestFixture.touch(table, "first", 10);
    ContestFixture.touch(table, "second", 20);
    assertThat(ContestFixture.find(table, "first")).isNull();

    ContestFixture.touch(table, "first", 13);

    Tracked entry = ContestFixture.find(table, "first");
    assertThat(entry).isNotNull();
    assertThat(entry.rate()).isCloseTo(2.3, within(1e-5));
  }

  @Test
  void touch_newcomerAfterARemoval_replacesTheLowestScore() {
    ContestTable table = ContestFixture.table(fixture.builder(3).probes(64));
    ContestFixture.touch(table, "highest", 100);
    ContestFixture.touch(table, "middle", 50);
    ContestFixture.touch(table, "lowest", 1);
    Tracked lowest = ContestFixture.find(table, "lowest");
    assertThat(ContestFixture.remove(table, "highest")).isNotNull();
    ContestFixture.touch(table, "other", 50);

    Tracked newcomer = ContestFixture.weigh(table, "newcomer", 10);

    assertThat(newcomer).isNotNull();
    assertThat(lowest).isNotNull();
    assertThat(lowest.isEvicted()).isTrue();
  }

  @Test
  void touch_newcomerAfterTheReferenceTimeMoved_comparesCurrentScores() {
    ContestTable table = fixture.table(1);
    fixture.ticker.advance(WINDOW.multipliedBy(32).minusMillis(1));
    ContestFixture.touch(table, "tracked", 10);
    fixture.ticker.advance(Duration.ofSeconds(2));

    ContestFixture.touch(table, "newcomer", 9);
    assertThat(ContestFixture.find(table, "newcomer")).isNull();
    ContestFixture.touch(table, "newcomer", 1);

    assertThat(ContestFixture.find(table, "newcomer")).isNotNull();
  }

  @Test
  void touch_oldestEntry_makesAnotherTheLeastRecentlyTouched() {
    ContestTable table = fixture.table(2);
    ContestFixture.touch(table, "first", 50);
    fixture.ticker.advance(Duration.ofSeconds(1));
    ContestFixture.touch(table, "second", 50);
    fixture.ticker.advance(Duration.ofSeconds(4));
    ContestFixture.touch(table, "first", 1);
    fixture.ticker.advance(Duration.ofMillis(6_500));

    assertThat(ContestFixture.touch(table, "newcomer")).isNotNull();

    assertThat(ContestFixture.find(table, "second")).isNull();
    assertThat(table.stats().expired()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 63})
  void touch_noRandomProbes_probesEverySlotInTurn(int slots) {
    ContestTable table = ContestFixture.table(fixture.builder(slots).stripes(1).probes(0));
    for (int i = 0; i < slots; i++) {
      var unused = ContestFixture.weigh(table, "client:" + i, i == slots / 2 ? 2 : 1_000_000);
    }

    // Probes in turn reach the one low entry once in as many contests as there are slots.
    long won =
        IntStream.range(0, slots)
            .filter(i -> ContestFixture.weigh(table, "new:" + i, 10) != null)
            .count();

    assertThat(won).isEqualTo(1);
    assertThat(ContestFixture.find(table, "client:" + (slots / 2))).isNull();
  }
}
