package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HotCountersTest {
  private static final Duration DECAY = Duration.ofSeconds(10);

  @Test
  void touch_theThresholdthCall_isHot() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 100, 10, 8);
    HotCounters keys = desk.coalescer.counters();

    IntStream.range(1, 100)
        .forEach(i -> assertThat(keys.touch(CoalescerHarness.key("k"))).isNull());

    assertThat(keys.touch(CoalescerHarness.key("k"))).isNotNull();
    assertThat(keys.touch(CoalescerHarness.key("other"))).isNull();
    assertThat(desk.coalescer.stats().promotions()).isEqualTo(1);
  }

  @Test
  void maintain_aKeyThatStaysBusy_staysHot() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 100, 10, 8);

    for (int i = 0; i < 5; i++) {
      touch(desk, "k", 100);
      decay(desk);
    }

    assertThat(desk.coalescer.stats()).isEqualTo(new CoalesceStats(1, 1, 0, 0, 0));
  }

  @Test
  void maintain_aKeyWithoutCalls_cools() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 100, 10, 8);
    touch(desk, "k", 120);

    decay(desk);
    assertThat(desk.coalescer.stats().hotKeys()).isEqualTo(1);
    decay(desk);

    assertThat(desk.coalescer.stats()).isEqualTo(new CoalesceStats(0, 1, 1, 0, 0));
  }

  @Test
  void maintain_beforeItIsDue_changesNothing() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 100, 10, 8);
    touch(desk, "k", 99);

    desk.ticker.advance(DECAY.minusNanos(1));
    desk.coalescer.maintain();

    assertThat(desk.coalescer.counters().touch(CoalescerHarness.key("k"))).isNotNull();
  }

  @Test
  void maintain_whenDue_halvesTheCountsOfColdKeys() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 100, 10, 8);
    touch(desk, "k", 99);

    decay(desk);
    touch(desk, "k", 49);

    assertThat(desk.coalescer.stats().hotKeys()).isZero();
    touch(desk, "k", 1);
    assertThat(desk.coalescer.stats().hotKeys()).isEqualTo(1);
  }

  @Test
  void touch_whenTheTableIsFull_replacesAKeyNotUsedRecently() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 1, 3, 8);
    touch(desk, "a", 1);
    touch(desk, "b", 1);
    touch(desk, "c", 1);
    touch(desk, "d", 1);
    touch(desk, "b", 1);

    touch(desk, "e", 1);

    assertThat(desk.coalescer.counters().find(CoalescerHarness.key("b"))).isNotNull();
    assertThat(desk.coalescer.counters().find(CoalescerHarness.key("e"))).isNotNull();
    assertThat(desk.coalescer.stats()).isEqualTo(new CoalesceStats(3, 5, 2, 0, 0));
  }

  @Test
  void touch_moreHotKeysThanAllowed_staysWithinTheLimit() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 1, 100, 8);

    IntStream.range(0, 10_000).forEach(i -> touch(desk, "k" + i, 1));

    assertThat(desk.coalescer.stats().hotKeys()).isEqualTo(100);
    assertThat(desk.coalescer.stats().demotions()).isEqualTo(9_900);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void hotElsewhere_keyThatWasNeverUsedHere_isHot(Mode mode) {
    CoalescerHarness desk = new CoalescerHarness(mode, 100, 10, 8);

    desk.coalescer.hotElsewhere(List.of(CoalescerHarness.key("k")));
    List<CompletableFuture<Long>> result = List.of(desk.ask(1), desk.ask(2), desk.ask(3));
    desk.pass(CoalescerHarness.WINDOW);

    assertThat(desk.coalescer.stats().hotKeys()).isEqualTo(mode == Mode.OFF ? 0 : 1);
    assertThat(desk.sums()).isEqualTo(mode == Mode.ENFORCE ? List.of(1L, 5L) : List.of(1L, 2L, 3L));
    assertThat(desk.action.snapshot().wouldHaveApplied()).isEqualTo(mode == Mode.OBSERVE ? 3 : 0);
    desk.landAll();
    assertThat(result.stream().map(CompletableFuture::join)).containsExactly(1L, 3L, 6L);
  }

  @Test
  void hotElsewhere_untilItIsNoLongerReported_staysHotAndThenCools() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 100, 10, 8);
    desk.coalescer.hotElsewhere(List.of(CoalescerHarness.key("k")));

    IntStream.range(0, 5).forEach(i -> decay(desk));
    CoalesceStats result = desk.coalescer.stats();
    desk.coalescer.hotElsewhere(List.of());
    decay(desk);

    assertThat(result).isEqualTo(new CoalesceStats(1, 1, 0, 0, 0));
    assertThat(desk.coalescer.stats()).isEqualTo(new CoalesceStats(0, 1, 1, 0, 0));
  }

  @Test
  void hotElsewhere_moreKeysThanAllowed_leaveHalfToLocalKeys() {
    CoalescerHarness desk = new CoalescerHarness(Mode.ENFORCE, 1, 10, 8);
    IntStream.range(0, 5).forEach(i -> touch(desk, "here" + i, 1));

    desk.coalescer.hotElsewhere(
        IntStream.range(0, 1000).mapToObj(i -> CoalescerHarness.key("there" + i)).toList());

    assertThat(desk.coalescer.stats()).isEqualTo(new CoalesceStats(10, 10, 0, 0, 0));
    assertThat(desk.coalescer.counters().find(CoalescerHarness.key("here4"))).isNotNull();
    assertThat(desk.coalescer.counters().find(CoalescerHarness.key("there0"))).isNotNull();
  }

  @Test
  void width_ofTheDefault_isThatOfTenMebibytesInFourRows() {
    var coalescer =
        new CoalescingCounters(
            new CoalescerHarness(Mode.OFF, 1, 1, 1),
            new Savings().action("coalesce", "limits", Mode.OFF),
            CoalesceSettings.DEFAULT,
            BatchListener.NONE,
            Ticker.system(),
            () -> null);

    assertThat(coalescer.counters().sketchWidth()).isEqualTo(655_360);
  }

  @Test
  void settings_outOfRange_areRejected() {
    assertThatThrownBy(() -> settings(0, 1, Duration.ZERO)).hasMessageContaining("threshold");
    assertThatThrownBy(() -> settings(1, 0, Duration.ZERO)).hasMessageContaining("maxBatch");
    assertThatThrownBy(() -> settings(1, 1, Duration.ofSeconds(2)))
        .hasMessageContaining("flushWindow");
  }

  private static CoalesceSettings settings(long threshold, int batch, Duration window) {
    return new CoalesceSettings(1 << 20, 4, threshold, 1, window, batch, DECAY);
  }

  private static void touch(CoalescerHarness desk, String key, int times) {
    IntStream.range(0, times)
        .forEach(i -> desk.coalescer.counters().touch(CoalescerHarness.key(key)));
  }

  private static void decay(CoalescerHarness desk) {
    desk.ticker.advance(DECAY);
    desk.coalescer.maintain();
  }
}
