package io.heatshield.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HotValuesTest {
  private static final Duration MAX_AGE = Duration.ofSeconds(15);
  private static final int VALUE_BYTES = 10;

  private final GuardSubject subject = new GuardSubject();
  private final BytesKey key = subject.key("k");
  private boolean delivering = true;
  private boolean expired;

  @Test
  void touch_fromTheThresholdOn_isHot() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);

    List<Boolean> hot =
        List.of(values.touch(key), values.touch(key), values.touch(key), values.touch(key));

    assertThat(hot).containsExactly(false, false, true, true);
  }

  @Test
  void touch_ofAKeyThatIsHotInTheFleet_isHotAtOnce() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);

    subject.fleet.replace(List.of(key.bytes()), 3);

    assertThat(values.touch(key)).isTrue();
    assertThat(values.touch(subject.key("other"))).isFalse();
  }

  @Test
  void serve_afterALoadWasCompleted_returnsItsValueUntilTheMaximumAge() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    load(values, "v");

    String early = values.serve(key);
    subject.ticker.advance(MAX_AGE);

    assertThat(early).isEqualTo("v");
    assertThat(values.serve(key)).isNull();
    assertThat(values.hits()).isEqualTo(1);
    assertThat(values.loads()).isEqualTo(1);
  }

  @Test
  void serve_ofASlowLoad_measuresTheAgeFromItsBeginning() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    Load<BytesKey, String> load = begin(values);
    subject.ticker.advance(MAX_AGE.minusNanos(1));
    values.complete(load, "v");

    String last = values.serve(key);
    subject.ticker.advance(Duration.ofNanos(1));

    assertThat(last).isEqualTo("v");
    assertThat(values.serve(key)).isNull();
  }

  @Test
  void serve_ofAValueThatHasExpired_returnsNothing() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    load(values, "v");

    expired = true;

    assertThat(values.serve(key)).isNull();
    assertThat(values.serveLast(key)).isNull();
  }

  @Test
  void serve_inObserve_returnsNothingAndCountsWhatWouldBeSaved() {
    HotValues<BytesKey, String> values = values(Mode.OBSERVE);
    load(values, "v");

    String served = values.serve(key);

    assertThat(served).isNull();
    assertThat(values.serveLast(key)).isNull();
    assertThat(values.contains(key)).isTrue();
    assertThat(values.hits()).isZero();
    assertThat(subject.savings.snapshot())
        .extracting(Action.Snapshot::name, Action.Snapshot::wouldHaveSaved)
        .containsExactly(tuple("hot_reads", 1L));
  }

  @Test
  void serve_whileChangesAreNotDelivered_returnsNothingButTheLastValueIsThere() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    load(values, "v");

    delivering = false;

    assertThat(values.serve(key)).isNull();
    assertThat(values.contains(key)).isFalse();
    assertThat(values.serveLast(key)).isEqualTo("v");
  }

  @Test
  void complete_whileChangesAreNotDelivered_keepsNothing() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    Load<BytesKey, String> load = begin(values);

    delivering = false;
    values.complete(load, "v");
    delivering = true;

    assertThat(values.serve(key)).isNull();
    assertThat(values.begin(key)).isNotNull();
  }

  @Test
  void begin_whileALoadIsPending_returnsNullUntilItEnds() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    Load<BytesKey, String> load = begin(values);

    Load<BytesKey, String> second = values.begin(key);
    values.abandon(load);

    assertThat(second).isNull();
    assertThat(values.begin(key)).isNotNull();
    assertThat(values.serve(key)).isNull();
  }

  @Test
  void complete_ofALoadWhoseKeyWasInvalidated_keepsNothing() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    Load<BytesKey, String> load = begin(values);

    values.invalidate(key);
    values.complete(load, "old");

    assertThat(values.serve(key)).isNull();
  }

  @Test
  void complete_ofALoadThatAnotherReplaced_leavesTheNewOneAlone() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    Load<BytesKey, String> old = begin(values);
    values.invalidate(key);
    Load<BytesKey, String> next = begin(values);

    values.complete(old, "old");
    values.abandon(old);
    values.complete(next, "new");

    assertThat(values.serve(key)).isEqualTo("new");
  }

  @Test
  void invalidate_ofAKeptKey_dropsIt() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    load(values, "v");

    values.invalidate(key);

    assertThat(values.serve(key)).isNull();
  }

  @Test
  void invalidateAll_withALoadAndAValue_dropsBoth() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    load(values, "v");
    BytesKey other = subject.key("other");
    Load<BytesKey, String> load = Objects.requireNonNull(values.begin(other));

    values.invalidateAll();
    values.complete(load, "old");

    assertThat(values.serve(key)).isNull();
    assertThat(values.serve(other)).isNull();
  }

  @Test
  void tune_toOff_dropsEverything() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    load(values, "v");

    values.tune(new HotValues.Limits(Mode.OFF, 3, MAX_AGE));
    values.tune(new HotValues.Limits(Mode.ENFORCE, 3, MAX_AGE));

    assertThat(values.serve(key)).isNull();
    assertThat(values.bytes()).isZero();
  }

  @Test
  void evictStale_pastTheMaximumAge_freesTheMemory() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    load(values, "v");
    long before = values.bytes();

    subject.ticker.advance(MAX_AGE);
    values.evictStale();

    assertThat(before).isEqualTo(200 + 1 + VALUE_BYTES);
    assertThat(values.bytes()).isZero();
  }

  @Test
  void maxBytes_thatIsLess_evictsWhatExceedsIt() {
    HotValues<BytesKey, String> values = values(Mode.ENFORCE);
    load(values, "v");

    values.maxBytes(100);

    assertThat(values.bytes()).isZero();
    assertThat(values.maxBytes()).isEqualTo(100);
  }

  private HotValues<BytesKey, String> values(Mode mode) {
    return new HotValues<>(
        subject.context,
        new HotValues.Limits(mode, 3, MAX_AGE),
        1 << 20,
        subject.ring(),
        new ValueTraits<>() {
          @Override
          public long weight(String value) {
            return VALUE_BYTES;
          }

          @Override
          public boolean isExpired(String value) {
            return expired;
          }
        },
        () -> delivering);
  }

  private void load(HotValues<BytesKey, String> values, String value) {
    values.complete(begin(values), value);
  }

  private Load<BytesKey, String> begin(HotValues<BytesKey, String> values) {
    return Objects.requireNonNull(values.begin(key));
  }
}
