package io.heatshield.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.filter.Growth;
import io.heatshield.filter.KeySink;
import io.heatshield.filter.KeySource;
import io.heatshield.filter.OverBudget;
import io.heatshield.filter.RebuildResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AbsentKeysTest {
  private static final long BUDGET = 1 << 20;

  private final GuardSubject subject = new GuardSubject();
  private final Feed feed = new Feed();
  private long version;

  @Test
  void check_whileIncomplete_answersNothing() {
    AbsentKeys keys = exact(Mode.ENFORCE);

    AbsenceCheck check = keys.check(subject.hash("absent"));

    assertThat(keys.isComplete()).isFalse();
    assertThat(check.isAbsent()).isFalse();
    assertThat(check.isAnswered()).isFalse();
  }

  @Test
  void check_onceComplete_answersForAbsentKeysOnly() {
    AbsentKeys keys = complete(exact(Mode.ENFORCE));
    keys.addNew(subject.hash("k"));

    AbsenceCheck absent = keys.check(subject.hash("absent"));
    AbsenceCheck present = keys.check(subject.hash("k"));

    assertThat(absent.isAnswered()).isTrue();
    assertThat(present.isAnswered()).isFalse();
    assertThat(present.isAbsent()).isFalse();
    assertThat(keys.answered()).isEqualTo(1);
  }

  @Test
  void check_inObserve_saysAbsentWithoutAnswering() {
    AbsentKeys keys = complete(exact(Mode.OBSERVE));

    AbsenceCheck check = keys.check(subject.hash("absent"));
    check.verify(false);

    assertThat(check.isAbsent()).isTrue();
    assertThat(check.isAnswered()).isFalse();
    assertThat(keys.answered()).isZero();
    assertThat(keys.disagreements()).isZero();
    assertThat(subject.savings.snapshot().get(0).wouldHaveSaved()).isEqualTo(1);
  }

  @Test
  void mode_withOtherWriters_isAtMostObserve() {
    AbsentKeys keys = keys(false, FilterShape.addOnly(100), BUDGET);

    keys.mode(Mode.ENFORCE);

    assertThat(keys.mode()).isEqualTo(Mode.OBSERVE);
  }

  @Test
  void mode_offAndOn_isIncompleteAgain() {
    AbsentKeys keys = complete(exact(Mode.ENFORCE));

    keys.mode(Mode.OFF);
    keys.addNew(subject.hash("k"));
    keys.mode(Mode.ENFORCE);

    assertThat(keys.check(subject.hash("k")).isAnswered()).isFalse();
    assertThat(keys.wantsRebuild()).isTrue();
  }

  @Test
  void verify_ofAKeyThatTheBackendHolds_isADisagreement() {
    AbsentKeys keys = complete(exact(Mode.OBSERVE));

    keys.check(subject.hash("k")).verify(true);

    assertThat(keys.disagreements()).isEqualTo(1);
  }

  @Test
  void verify_ofAKeyThatWasWrittenSinceTheCheck_isNoDisagreement() {
    AbsentKeys keys = complete(exact(Mode.OBSERVE));
    AbsenceCheck removed = keys.check(subject.hash("removed"));
    AbsenceCheck added = keys.check(subject.hash("added"));

    keys.addNew(subject.hash("added"));
    added.verify(true);
    version++;
    removed.verify(true);

    assertThat(keys.disagreements()).isZero();
  }

  @Test
  void verify_ofAnAbsentKeyReportedAsPresent_isAFalsePositive() {
    AbsentKeys keys = complete(exact(Mode.ENFORCE));
    keys.addNew(subject.hash("k"));

    keys.check(subject.hash("k")).verify(false);

    assertThat(keys.falsePositives()).isEqualTo(1);
  }

  @Test
  void verify_beforeAllChangesWereDelivered_isJudgedWhenTheyAre() {
    AbsentKeys keys = filled(addOnly(Mode.OBSERVE));
    feed.delay();
    keys.check(subject.hash("foreign")).verify(true);
    keys.check(subject.hash("missed")).verify(true);

    long before = keys.disagreements();
    keys.add(subject.hash("foreign"));
    feed.catchUp();
    keys.judge();

    assertThat(before).isZero();
    assertThat(keys.disagreements()).isEqualTo(1);
  }

  @Test
  void judge_afterChangesWereLost_dropsPendingChecks() {
    AbsentKeys keys = filled(addOnly(Mode.OBSERVE));
    feed.delay();
    keys.check(subject.hash("foreign")).verify(true);

    feed.delivering = false;
    keys.judge();
    feed.delivering = true;
    feed.catchUp();
    keys.judge();

    assertThat(keys.disagreements()).isZero();
  }

  @Test
  void check_whileChangesAreNotDelivered_answersNothing() {
    AbsentKeys keys = filled(addOnly(Mode.ENFORCE));

    feed.delivering = false;

    assertThat(keys.check(subject.hash("absent")).isAnswered()).isFalse();
  }

  @Test
  void check_duringAnUnclearCommandAndUntilItsChangesWereDelivered_answersNothing() {
    AbsentKeys keys = filled(addOnly(Mode.ENFORCE));
    long absent = subject.hash("absent");

    keys.beginUnclear();
    boolean during = keys.check(absent).isAnswered();
    feed.delay();
    keys.endUnclear();
    boolean before = keys.check(absent).isAnswered();
    feed.catchUp();

    assertThat(during).isFalse();
    assertThat(before).isFalse();
    assertThat(keys.check(absent).isAnswered()).isTrue();
  }

  @Test
  void remove_ofAKey_makesItAbsent() {
    AbsentKeys keys = complete(exact(Mode.ENFORCE));
    keys.addNew(subject.hash("k"));

    keys.remove(subject.hash("k"));

    assertThat(keys.check(subject.hash("k")).isAnswered()).isTrue();
    assertThat(keys.isUncertain(subject.hash("k"))).isFalse();
  }

  @Test
  void clear_ofAnIncompleteFilter_makesItComplete() {
    AbsentKeys keys = exact(Mode.ENFORCE);
    keys.addNew(subject.hash("k"));

    keys.clear();

    assertThat(keys.isComplete()).isTrue();
    assertThat(keys.filter().size()).isZero();
  }

  @Test
  void addNew_pastTheSizeOfTheFilter_warnsAndIsIncomplete() {
    AbsentKeys keys = complete(keys(true, shape(100, Growth.REFUSE), BUDGET, Mode.ENFORCE));

    IntStream.range(0, 10_000).forEach(i -> keys.addNew(subject.hash("k" + i)));

    assertThat(keys.isComplete()).isFalse();
    assertThat(keys.wantsRebuild()).isTrue();
    assertThat(subject.warnings)
        .contains("the filter of absent keys is full and not used until rebuilt");
  }

  @Test
  void rebuild_duringWhichAKeyMayHaveBeenMissed_isNotComplete() {
    AbsentKeys keys = exact(Mode.ENFORCE);
    long token = keys.beginRebuild();

    RebuildResult result = keys.rebuild(source(List.of("a", "b")), scanned -> {});
    keys.invalidate();

    assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
    assertThat(keys.completeSince(token)).isFalse();
    assertThat(keys.completeSince(keys.beginRebuild())).isTrue();
    assertThat(keys.check(subject.hash("a")).isAnswered()).isFalse();
    assertThat(keys.check(subject.hash("absent")).isAnswered()).isTrue();
  }

  @Test
  void load_ofAStoredFilter_isComplete() throws IOException {
    AbsentKeys keys = complete(exact(Mode.ENFORCE));
    keys.addNew(subject.hash("k"));
    var stored = new ByteArrayOutputStream();
    keys.filter().writeTo(stored);
    AbsentKeys next = exact(Mode.ENFORCE);

    next.load(new ByteArrayInputStream(stored.toByteArray()));

    assertThat(next.isComplete()).isTrue();
    assertThat(next.check(subject.hash("k")).isAnswered()).isFalse();
    assertThat(next.check(subject.hash("absent")).isAnswered()).isTrue();
  }

  @Test
  void fill_whileKeysAreAdded_losesNoKey() {
    AbsentKeys keys = addOnly(Mode.ENFORCE);

    boolean complete;
    try (AbsentKeys.Fill fill = keys.beginFill(2).orElseThrow()) {
      fill.add(subject.hash("a"));
      IntStream.range(0, 50).forEach(i -> keys.add(subject.hash("new" + i)));
      fill.add(subject.hash("a"));
      complete = fill.finish();
    }
    keys.add(subject.hash("later"));

    var lost = new ArrayList<String>();
    for (String key : List.of("a", "new0", "new49", "later")) {
      if (keys.check(subject.hash(key)).isAnswered()) {
        lost.add(key);
      }
    }
    assertThat(complete).isTrue();
    assertThat(lost).isEmpty();
    assertThat(keys.check(subject.hash("absent")).isAnswered()).isTrue();
  }

  @Test
  void fill_duringWhichAnyKeyMayHaveChanged_isNotComplete() {
    AbsentKeys keys = addOnly(Mode.ENFORCE);

    boolean complete;
    try (AbsentKeys.Fill fill = keys.beginFill(2).orElseThrow()) {
      keys.invalidate();
      complete = fill.finish();
    }

    assertThat(complete).isFalse();
    assertThat(keys.check(subject.hash("absent")).isAnswered()).isFalse();
  }

  @Test
  void fill_thatIsComplete_isNotUsedBeforeAllChangesUpToItsEndWereDelivered() {
    AbsentKeys keys = addOnly(Mode.ENFORCE);

    feed.delay();
    filled(keys);
    boolean before = keys.check(subject.hash("absent")).isAnswered();
    feed.catchUp();

    assertThat(before).isFalse();
    assertThat(keys.check(subject.hash("absent")).isAnswered()).isTrue();
  }

  @Test
  void beginFill_forMoreKeysThanTheBudgetHolds_isEmpty() {
    AbsentKeys keys = addOnly(Mode.ENFORCE);

    boolean room = keys.beginFill(1L << 40).isPresent();

    assertThat(room).isFalse();
    assertThat(keys.beginFill(1000)).isPresent();
  }

  @Test
  void reducePrecision_ofALargeFilter_freesMemory() {
    AbsentKeys keys = keys(true, shape(100_000, Growth.REBUILD), BUDGET, Mode.ENFORCE);
    long before = keys.filter().bytes();

    keys.reducePrecision();

    assertThat(keys.filter().bytes()).isLessThan(before);
  }

  private AbsentKeys complete(AbsentKeys keys) {
    keys.clear();
    return keys;
  }

  private AbsentKeys filled(AbsentKeys keys) {
    try (AbsentKeys.Fill fill = keys.beginFill(1).orElseThrow()) {
      assertThat(fill.finish()).isTrue();
    }
    return keys;
  }

  private AbsentKeys exact(Mode mode) {
    return keys(true, shape(1000, Growth.REBUILD), BUDGET, mode);
  }

  private AbsentKeys addOnly(Mode mode) {
    return keys(true, FilterShape.addOnly(1000), BUDGET, mode);
  }

  private AbsentKeys keys(boolean exclusive, FilterShape shape, long budget, Mode mode) {
    AbsentKeys keys = keys(exclusive, shape, budget);
    keys.mode(mode);
    return keys;
  }

  private AbsentKeys keys(boolean exclusive, FilterShape shape, long budget) {
    return new AbsentKeys(subject.context, shape, budget, exclusive, feed, hash -> version);
  }

  private static FilterShape shape(long items, Growth growth) {
    return new FilterShape(items, 0.001, 0, 4, 500, growth, OverBudget.DEGRADE);
  }

  private KeySource source(List<String> keys) {
    return new KeySource() {
      @Override
      public long expectedItems() {
        return keys.size();
      }

      @Override
      public boolean snapshot() {
        return false;
      }

      @Override
      public void scan(KeySink sink) {
        assertThat(keys).allMatch(key -> sink.accept(key));
      }
    };
  }

  /** A feed whose delivery can be delayed or lost. */
  private static final class Feed implements ChangeFeed {
    private boolean delivering = true;
    private long now;
    private long delivered = Long.MAX_VALUE;

    void delay() {
      delivered = now;
    }

    void catchUp() {
      delivered = Long.MAX_VALUE;
    }

    @Override
    public boolean isDelivering() {
      return delivering;
    }

    @Override
    public long mark() {
      return ++now;
    }

    @Override
    public boolean hasPassed(long mark) {
      return mark <= delivered;
    }
  }
}
