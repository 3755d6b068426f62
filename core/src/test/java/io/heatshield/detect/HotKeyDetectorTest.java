package io.heatshield.detect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.detect.Verdict.Kind;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotKeyDetectorTest {
  private final DetectorFixture world = new DetectorFixture();

  @Test
  void touch_reachesTheThreshold_isTheFirstHotOne() {
    assertThat(world.touch("a", 99)).isSameAs(Verdict.COOL);

    Verdict verdict = world.touch("a", 1);

    assertThat(verdict.kind()).isEqualTo(Kind.HOT);
    assertThat(verdict.isHot()).isTrue();
    assertThat(verdict.estimate()).isEqualTo(100 + 100 / 16);
    assertThat(verdict.rate()).isEqualTo(10.6);
    assertThat(verdict.sinceNanos()).isEqualTo(world.ticker.nanos());
    assertThat(verdict.guaranteed()).isEqualTo(99);
    assertThat(verdict.error()).isEqualTo(1 + 100 / 16);
    assertThat(verdict.tracked()).isTrue();
  }

  @Test
  void touch_everyForm_countsTheSameKey() {
    var buffer = ByteBuffer.wrap("xa:1y".getBytes(UTF_8), 1, 3);

    world.detector.touch("a:1");
    world.detector.touch("a:1".getBytes(UTF_8));
    world.detector.touch(buffer);
    world.detector.touch(CharBuffer.wrap("a:1"), 2);
    world.detector.touch(buffer, 3);
    world.detector.touch("a:1".getBytes(UTF_8), 4);
    world.detector.hashed(world.hash).touch(world.hash.hash("a:1"), "a:1".getBytes(UTF_8), 5);

    assertThat(world.detector.estimate("a:1".getBytes(UTF_8)).touches()).isEqualTo(17);
    assertThat(buffer.remaining()).isEqualTo(3);
    assertThat(world.detector.top(5)).singleElement().extracting(KeyReport::key).hasToString("a:1");
  }

  @Test
  void touch_heavyWeight_isHotImmediately() {
    assertThat(world.detector.touch("a", 100).kind()).isEqualTo(Kind.HOT);
    assertThat(world.detector.touch("b", 0)).isSameAs(Verdict.COOL);
    assertThatThrownBy(() -> world.detector.touch("a", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("weight must not be negative: -1");
  }

  @Test
  void touch_maximumWeights_saturatesAtLeast() {
    world.detector.touch("a", Long.MAX_VALUE);
    world.detector.touch("a", Long.MAX_VALUE);

    Estimate estimate = world.detector.estimate("a".getBytes(UTF_8));

    assertThat(estimate.touches()).isEqualTo(Integer.MAX_VALUE);
    assertThat(estimate.atLeast()).isTrue();
    assertThat(world.detector.top(1)).extracting(KeyReport::atLeast).containsExactly(true);
  }

  @Test
  void top_afterLongKeys_hasTheWholeShortKey() {
    for (int i = 0; i < 40; i++) {
      world.touch("/catalogue/items/" + i + "/".repeat(100), 1);
    }

    world.touch("users:123", 200);

    assertThat(world.events).containsExactly("hot users:123");
    assertThat(world.detector.hot()).extracting(KeyReport::key).asString().contains("users:123");
  }

  @Test
  void touch_hotKey_returnsOneVerdictUntilCountsGrow() {
    Verdict first = world.touch("a", 100);

    assertThat(world.touch("a", 1)).isSameAs(first);
    Verdict later = world.touch("a", 200);
    assertThat(later).isNotSameAs(first);
    assertThat(later.estimate()).isBetween(301L, 301L * 17 / 16);
    assertThat(later.sinceNanos()).isEqualTo(first.sinceNanos());
  }

  @Test
  void touch_keyThatWasHotterBefore_returnsARenewedVerdict() {
    world.touch("a", 1_000);
    world.passSeconds(10);
    world.touch("a", 100);
    world.passSeconds(5);

    Verdict later = world.touch("a", 300);

    assertThat(later.estimate()).isBetween(400L, 400L * 17 / 16);
  }

  @Test
  void touch_timeBeforeThePane_countsInTheCurrentPane() {
    var reading = new AtomicLong();
    HotKeyDetector detector = DetectorFixture.settings().ticker(reading::get).build();
    reading.set(Duration.ofSeconds(6).toNanos());
    detector.touch("a", 60);

    reading.set(Duration.ofSeconds(1).toNanos());
    Verdict late = detector.touch("a", 40);

    assertThat(late.kind()).isEqualTo(Kind.HOT);
    reading.set(Duration.ofSeconds(14).toNanos());
    assertThat(detector.estimate("a".getBytes(UTF_8)).touches()).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 16, 64})
  void touch_burstsAtBothEndsOfAWindow_isHotAtEveryAlignment(int panes) {
    long window = Duration.ofSeconds(10).toNanos();
    for (int step = 0; step < 131; step++) {
      var aligned = new DetectorFixture(DetectorFixture.settings().panes(panes));
      aligned.ticker.advanceNanos(window / 130 * step);
      int first = 1 + step % 99;
      aligned.touch("a", first);
      aligned.ticker.advanceNanos(window);

      Verdict before = aligned.touch("a", 99 - first);
      Verdict reached = aligned.touch("a", 1);

      assertThat(before).as("%d panes, step %d", panes, step).isSameAs(Verdict.COOL);
      assertThat(reached.kind()).as("%d panes, step %d", panes, step).isEqualTo(Kind.HOT);
    }
  }

  @Test
  void touch_amongKeysOfMaximumWeight_isNotHot() {
    for (int i = 0; i < 2_000; i++) {
      world.detector.touch("huge:" + i, Long.MAX_VALUE);
    }

    Verdict verdict = world.touch("a", 1);

    assertThat(verdict.kind()).isNotEqualTo(Kind.HOT);
    assertThat(world.detector.stats().overloaded()).isTrue();
    world.passSeconds(30);
    assertThat(world.touch("a", 99)).isSameAs(Verdict.COOL);
    assertThat(world.touch("a", 1).kind()).isEqualTo(Kind.HOT);
  }

  @Test
  void top_smallTable_includesALaterHotterKey() {
    var two = new DetectorFixture(DetectorFixture.settings().topK(2));
    for (int i = 0; i < 5; i++) {
      two.touch("a", 1);
      two.touch("b", 1);
    }

    two.touch("c", 20);

    assertThat(two.detector.top(1)).singleElement().extracting(KeyReport::key).hasToString("c");
    assertThat(two.detector.top(2)).hasSize(2);
  }

  @Test
  void touch_afterALongIdleTime_startsFromZero() {
    world.touch("a", 99);

    world.pass(Duration.ofDays(400));

    assertThat(world.touch("a", 99)).isSameAs(Verdict.COOL);
    assertThat(world.touch("a", 1).kind()).isEqualTo(Kind.HOT);
  }

  @Test
  void top_oneHotAndOneCoolKey_returnsTheHotKey() {
    var one = new DetectorFixture(DetectorFixture.settings().topK(1));
    one.touch("A", 1_000);
    one.touch("B", 6);

    assertThat(one.detector.top(1)).singleElement().extracting(KeyReport::key).hasToString("A");
  }

  @Test
  void top_fullTable_returnsTheHighestEstimatesInOrder() {
    for (int i = 0; i < 1_000; i++) {
      world.touch("junk:" + i, 2);
    }
    world.passSeconds(1);

    world.touch("b", 40);
    world.touch("a", 50);

    assertThat(world.detector.top(2))
        .extracting(report -> report.key().toString())
        .containsExactly("a", "b");
    KeyReport a = world.detector.top(1).get(0);
    assertThat(a.estimate()).isGreaterThanOrEqualTo(50);
    assertThat(a.guaranteed()).isBetween(40L, 50L);
    assertThat(a.trackedFor()).isZero();
    assertThat(a.idleFor()).isZero();
    assertThat(a.takenAt()).isEqualTo(world.ticker.nanos());
  }

  @Test
  void touch_twiceTheThresholdAfterAFlood_isHotWithinAWindow() {
    for (int i = 0; i < 10 * 4_096; i++) {
      world.touch("junk:" + i, 1);
    }
    Verdict verdict = Verdict.COOL;
    long start = world.ticker.nanos();

    while (!verdict.isHot()) {
      world.passSeconds(0.05);
      verdict = world.touch("a", 1);
    }

    assertThat(world.ticker.nanos() - start).isLessThanOrEqualTo(Duration.ofSeconds(10).toNanos());
    assertThat(world.detector.hot()).extracting(report -> report.key().toString()).contains("a");
  }

  @Test
  void touch_moreHotKeysThanTheTable_isHotAndCountedAsUntracked() {
    for (int i = 0; i < 64; i++) {
      world.touch("hot:" + i, 100);
    }

    Verdict verdict = world.touch("one more", 103);

    assertThat(verdict.isHot()).isTrue();
    assertThat(verdict.tracked()).isFalse();
    assertThat(verdict.estimate()).isEqualTo(103);
    assertThat(world.detector.stats().untrackedHot()).isEqualTo(4);
    assertThat(world.detector.stats().hot()).isEqualTo(64);
  }

  @Test
  void touch_hugeKey_isStoredTruncated() {
    String key = "k".repeat(100_000);

    world.touch(key, 3);

    StoredKey kept = world.detector.top(1).get(0).key();
    assertThat(kept.isWhole()).isFalse();
    assertThat(kept.bytes()).hasSize(StoredKey.MAX_BYTES);
    assertThat(kept.length()).isEqualTo(100_000);
    assertThat(kept).hasToString("k".repeat(512) + "\\...(100000 bytes, " + kept.label() + ")");
  }

  @Test
  void touch_keyWhoseCopyFails_leavesThePlaceToTheNextKey() {
    for (int i = 0; i < 64; i++) {
      world.touch("kept:" + i, 2);
    }

    assertThatThrownBy(() -> world.detector.touch(new Uncopied("broken"), 50))
        .isInstanceOf(IllegalStateException.class);

    world.touch("next", 1);
    assertThat(world.detector.explain("next".getBytes(UTF_8))).isPresent();
    assertThat(world.detector.stats().kept()).isEqualTo(64);
  }

  @Test
  void explain_trackedAndUntrackedKey_reportsOnlyTheTrackedKey() {
    world.touch("a", 3);

    assertThat(world.detector.explain("a".getBytes(UTF_8)))
        .get()
        .extracting(KeyReport::kind, KeyReport::estimate)
        .containsExactly(Kind.COOL, 3L);
    assertThat(world.detector.explain("b".getBytes(UTF_8))).isEmpty();
  }

  @Test
  void stats_afterTouches_haveTheCounts() {
    world.touch("a", 100);
    world.touch("b", 50);

    DetectorStats stats = world.detector.stats();

    assertThat(stats.touches()).isEqualTo(150);
    assertThat(stats.inWindow()).isEqualTo(150);
    assertThat(stats.hot()).isEqualTo(1);
    assertThat(stats.kept()).isEqualTo(2);
    assertThat(stats.overloaded()).isFalse();
    assertThat(stats.errorBound()).isEqualTo(1);
    assertThat(stats.bytes()).isEqualTo(world.detector.bytes());
  }

  /** A text that can be hashed by its characters, but whose toString throws. */
  private record Uncopied(String text) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      throw new IllegalStateException("not to be copied");
    }
  }
}
