package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountMinSketchTest {
  private static final KeyHash HASH = KeyHash.fast(HashSecret.of(new byte[32]));
  private static final long KEY = HASH.hash("key");
  private static final long OTHER = HASH.hash("other");

  @ParameterizedTest
  @EnumSource(Update.class)
  void add_oneKey_returnsItsCountEachTime(Update update) {
    CountMinSketch sketch = CountMinSketch.builder().update(update).build();

    assertThat(sketch.add(KEY, 1)).isEqualTo(1);
    assertThat(sketch.add(KEY, 4)).isEqualTo(5);
    assertThat(sketch.estimate(KEY)).isEqualTo(5);
    assertThat(sketch.estimate(OTHER)).isZero();
    assertThat(sketch.total()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 16})
  void count_anyDepth_isInTheEstimate(int depth) {
    CountMinSketch sketch = CountMinSketch.builder().dimensions(777, depth).build();

    sketch.count(KEY, 3);
    sketch.count(OTHER, 2);

    assertThat(sketch.estimate(KEY)).isEqualTo(3);
    assertThat(sketch.estimate(OTHER)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void add_lessThanOne_throws(long n) {
    CountMinSketch sketch = CountMinSketch.builder().build();

    assertThatThrownBy(() -> sketch.add(KEY, n))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("n must be at least 1: " + n);
    assertThatThrownBy(() -> sketch.count(KEY, n)).isInstanceOf(IllegalArgumentException.class);
    assertThat(sketch.total()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Update.class)
  void count_collisionInOneRow_raisesThatRowOnlyIfAdditive(Update update) {
    long partner = keyCollidingInOneRow(16);
    CountMinSketch sketch =
        CountMinSketch.builder().dimensions(16, 2).update(update).singleWriter().build();

    sketch.count(KEY, 10);
    sketch.count(partner, 4);

    assertThat(sketch.stripe(0).cell(Rows.position(KEY, 0, 16)))
        .isEqualTo(update == Update.CONSERVATIVE ? 10 : 14);
    assertThat(sketch.estimate(partner)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 64})
  void add_aboveTheCeiling_stopsAndIsSaturated(int bits) {
    CountMinSketch sketch = CountMinSketch.builder().counterBits(bits).build();
    long ceiling = bits == 32 ? 0xffff_ffffL : Long.MAX_VALUE;
    sketch.count(KEY, ceiling - 1);
    boolean before = sketch.isSaturated() || sketch.isSaturated(KEY);

    long after = sketch.add(KEY, 5);

    assertThat(before).isFalse();
    assertThat(after).isEqualTo(ceiling);
    assertThat(sketch.add(KEY, Long.MAX_VALUE)).isEqualTo(ceiling);
    assertThat(sketch.isSaturated()).isTrue();
    assertThat(sketch.isSaturated(KEY)).isTrue();
    assertThat(sketch.isSaturated(OTHER)).isFalse();
    assertThat(sketch.total()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void clear_saturatedAndHalfHalved_clearsAll() {
    CountMinSketch sketch = CountMinSketch.builder().dimensions(64, 4).build();
    sketch.count(KEY, Long.MAX_VALUE);
    sketch.halveStep(10);

    sketch.clear();

    assertThat(sketch.estimate(KEY)).isZero();
    assertThat(sketch.total()).isZero();
    assertThat(sketch.errorBound()).isZero();
    assertThat(sketch.isSaturated()).isFalse();
    assertThat(sketch.halveStep(64 * 4 * sketch.stripes())).isTrue();
  }

  @Test
  void merge_sketchWithOtherStripes_countsBoth() {
    CountMinSketch one = CountMinSketch.builder().stripes(2).build();
    CountMinSketch other =
        CountMinSketch.builder().stripes(4).counterBits(64).update(Update.ADDITIVE).build();
    one.count(KEY, 3);
    other.count(KEY, 4);
    other.count(OTHER, 5);

    one.merge(other);

    assertThat(one.estimate(KEY)).isEqualTo(7);
    assertThat(one.estimate(OTHER)).isEqualTo(5);
    assertThat(one.total()).isEqualTo(12);
    assertThat(other.estimate(KEY)).isEqualTo(4);
  }

  @Test
  void merge_saturatedSketch_isSaturated() {
    CountMinSketch one = CountMinSketch.builder().build();
    CountMinSketch other = CountMinSketch.builder().counterBits(64).build();
    other.count(KEY, 1L << 40);

    one.merge(other);

    assertThat(one.estimate(KEY)).isEqualTo(0xffff_ffffL);
    assertThat(one.isSaturated()).isTrue();
    assertThat(one.isSaturated(KEY)).isTrue();
  }

  @Test
  void merge_itselfOrAnotherShape_throws() {
    CountMinSketch sketch = CountMinSketch.builder().dimensions(100, 4).build();

    assertThatThrownBy(() -> sketch.merge(sketch))
        .hasMessage("other must be another sketch: this one");
    assertThatThrownBy(() -> sketch.merge(CountMinSketch.builder().dimensions(100, 3).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("other must have dimensions 100 x 4: 100 x 3");
  }

  @ParameterizedTest
  @EnumSource(Update.class)
  void halveStep_untilDone_halvesEveryCountRoundingUp(Update update) {
    CountMinSketch sketch =
        CountMinSketch.builder().dimensions(64, 4).stripes(2).update(update).build();
    sketch.count(KEY, 11);

    int steps = 1;
    while (!sketch.halveStep(100)) {
      steps++;
    }

    assertThat(steps).as("2 x 256 counters in steps of 100").isEqualTo(6);
    assertThat(sketch.estimate(KEY)).isEqualTo(6);
    assertThat(sketch.total()).isEqualTo(6);
    assertThat(sketch.errorBound()).isEqualTo(1 + 2);
  }

  @ParameterizedTest
  @EnumSource(Update.class)
  void add_duringAHalving_isCountedInEveryRow(Update update) {
    CountMinSketch sketch =
        CountMinSketch.builder().dimensions(64, 4).stripes(1).update(update).build();
    sketch.count(KEY, 10);

    sketch.halveStep(64);
    sketch.count(KEY, 4);
    while (!sketch.halveStep(64)) {
      assertThat(sketch.estimate(KEY)).isGreaterThanOrEqualTo(7);
    }

    assertThat(sketch.estimate(KEY)).isBetween(7L, 9L);
    assertThat(sketch.total()).isEqualTo(9);
  }

  @Test
  void halveStep_lessThanOneCounter_throws() {
    CountMinSketch sketch = CountMinSketch.builder().build();

    assertThatThrownBy(() -> sketch.halveStep(0)).hasMessage("maxCounters must be at least 1: 0");
  }

  @Test
  void errorBound_knownShape_isTheDocumentedFormula() {
    CountMinSketch sketch = CountMinSketch.builder().dimensions(272, 5).build();
    sketch.count(KEY, 100_000);

    assertThat(sketch.errorBound()).isEqualTo(1000);
    assertThat(sketch.confidence()).isCloseTo(0.99326, within(0.00001));
  }

  private static long keyCollidingInOneRow(int width) {
    for (int i = 0; ; i++) {
      long hash = HASH.hash("partner:" + i);
      if (Rows.position(hash, 0, width) == Rows.position(KEY, 0, width)
          && Rows.position(hash, 1, width) != Rows.position(KEY, 1, width)) {
        return hash;
      }
    }
  }
}
