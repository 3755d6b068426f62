package io.heatshield.sketch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.count.Rows;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountMinSketchTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final KeyHash HASH = KeyHash.fast(SECRET);
  private static final String KEY = "key";
  private static final String OTHER = "other";

  @Test
  void touch_oneKey_isInTheEstimate() {
    CountMinSketch sketch = builder().build();

    sketch.touch(KEY);
    sketch.touch(KEY, 4);
    sketch.touch(OTHER, 0);

    assertThat(sketch.estimate(KEY)).isEqualTo(5);
    assertThat(sketch.estimate(OTHER)).isZero();
    assertThat(sketch.total()).isEqualTo(5);
  }

  @Test
  void touch_everyForm_countsTheSameKey() {
    CountMinSketch sketch = builder().build();
    byte[] bytes = "42".getBytes(UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);

    sketch.touch(bytes);
    sketch.touch(bytes, 2);
    sketch.touch(buffer);
    sketch.touch(buffer, 3);
    sketch.touch("42");
    sketch.touch("42", 4);
    sketch.touch(42);
    sketch.touch(42L, 5);
    sketch.hashed(HASH).touch(HASH.hash(42));
    sketch.hashed(HASH).touch(HASH.hash("42"), 6);

    assertThat(sketch.estimate(42)).isEqualTo(25);
    assertThat(sketch.estimate(bytes)).isEqualTo(25);
    assertThat(sketch.estimate(buffer)).isEqualTo(25);
    assertThat(sketch.estimate("42")).isEqualTo(25);
    assertThat(sketch.hashed(HASH).estimate(HASH.hash("42"))).isEqualTo(25);
    assertThat(sketch.hashed(HASH).sketch()).isSameAs(sketch);
    assertThat(buffer.remaining()).isEqualTo(2);
  }

  @Test
  void hashed_otherSecretOrFunction_throws() {
    CountMinSketch sketch = builder().build();

    assertThatThrownBy(() -> sketch.hashed(KeyHash.fast(HashSecret.random())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hash must be of the same function and secret");
    assertThatThrownBy(() -> sketch.hashed(KeyHash.sip13(SECRET)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 16})
  void touch_anyDepth_isInTheEstimate(int depth) {
    CountMinSketch sketch = builder().width(777).depth(depth).build();

    sketch.touch(KEY, 3);
    sketch.touch(OTHER, 2);

    assertThat(sketch.estimate(KEY)).isEqualTo(3);
    assertThat(sketch.estimate(OTHER)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void touch_negativeWeight_throws(long weight) {
    CountMinSketch sketch = builder().build();

    assertThatThrownBy(() -> sketch.touch(KEY, weight))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("weight must not be negative: " + weight);
    assertThat(sketch.total()).isZero();
  }

  @Test
  void touch_collisionInOneRow_doesNotRaiseThatRow() {
    String partner = keyCollidingInOneRow(16);
    CountMinSketch sketch = builder().width(16).depth(2).singleWriter().build();

    sketch.touch(KEY, 10);
    sketch.touch(partner, 4);

    assertThat(sketch.stripes().get(0).cell(Rows.position(HASH.hash(KEY), 0, 16))).isEqualTo(10);
    assertThat(sketch.estimate(partner)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 64})
  void touch_aboveTheCeiling_stopsAndIsSaturated(int bits) {
    CountMinSketch sketch = builder().counterBits(bits).build();
    long ceiling = bits == 32 ? 0xffff_ffffL : Long.MAX_VALUE;
    sketch.touch(KEY, ceiling - 1);
    boolean before = sketch.isSaturated();

    sketch.touch(KEY, 5);

    assertThat(before).isFalse();
    assertThat(sketch.estimate(KEY)).isEqualTo(ceiling);
    sketch.touch(KEY, Long.MAX_VALUE);
    assertThat(sketch.estimate(KEY)).isEqualTo(ceiling);
    assertThat(sketch.isSaturated()).isTrue();
    assertThat(sketch.total()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void clear_saturatedAndHalfHalved_clearsAll() {
    CountMinSketch sketch = builder().width(64).build();
    sketch.touch(KEY, Long.MAX_VALUE);
    sketch.halveStep(10);

    sketch.clear();

    assertThat(sketch.estimate(KEY)).isZero();
    assertThat(sketch.total()).isZero();
    assertThat(sketch.errorBound()).isZero();
    assertThat(sketch.isSaturated()).isFalse();
    assertThat(sketch.halveStep(64 * 4 * sketch.stripes().count())).isTrue();
  }

  @Test
  void merge_sketchWithOtherStripes_countsBoth() {
    CountMinSketch one = builder().stripes(2).build();
    CountMinSketch other = builder().stripes(4).counterBits(64).build();
    one.touch(KEY, 3);
    other.touch(KEY, 4);
    other.touch(OTHER, 5);

    one.merge(other);

    assertThat(one.estimate(KEY)).isEqualTo(7);
    assertThat(one.estimate(OTHER)).isEqualTo(5);
    assertThat(one.total()).isEqualTo(12);
    assertThat(other.estimate(KEY)).isEqualTo(4);
  }

  @Test
  void merge_saturatedSketch_isSaturated() {
    CountMinSketch one = builder().build();
    CountMinSketch other = builder().counterBits(64).build();
    other.touch(KEY, 1L << 40);

    one.merge(other);

    assertThat(one.estimate(KEY)).isEqualTo(0xffff_ffffL);
    assertThat(one.isSaturated()).isTrue();
  }

  @Test
  void merge_itselfOrAnotherShape_throws() {
    CountMinSketch sketch = builder().width(100).build();

    assertThatThrownBy(() -> sketch.merge(sketch))
        .hasMessage("other must be another sketch: this one");
    assertThatThrownBy(() -> sketch.merge(builder().width(100).depth(3).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("other must have dimensions 100 x 4: 100 x 3");
  }

  @Test
  void merge_otherSecret_throws() {
    CountMinSketch sketch = builder().build();
    CountMinSketch other = CountMinSketch.builder().build();
    other.touch(KEY);

    assertThatThrownBy(() -> sketch.merge(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("other must be of the same hash function and secret");
    assertThat(sketch.total()).isZero();
  }

  @Test
  void halveStep_untilDone_halvesEveryCountRoundingUp() {
    CountMinSketch sketch = builder().width(64).stripes(2).build();
    sketch.touch(KEY, 11);

    int steps = 1;
    while (!sketch.halveStep(100)) {
      steps++;
    }

    assertThat(steps).as("2 x 256 counters in steps of 100").isEqualTo(6);
    assertThat(sketch.estimate(KEY)).isEqualTo(6);
    assertThat(sketch.total()).isEqualTo(6);
    assertThat(sketch.errorBound()).isEqualTo(1 + 2);
  }

  @Test
  void touch_duringAHalving_isCountedInEveryRow() {
    CountMinSketch sketch = builder().width(64).stripes(1).build();
    sketch.touch(KEY, 10);

    sketch.halveStep(64);
    sketch.touch(KEY, 4);
    while (!sketch.halveStep(64)) {
      assertThat(sketch.estimate(KEY)).isGreaterThanOrEqualTo(7);
    }

    assertThat(sketch.estimate(KEY)).isBetween(7L, 9L);
    assertThat(sketch.total()).isEqualTo(9);
  }

  @Test
  void halveStep_lessThanOneCounter_throws() {
    CountMinSketch sketch = builder().build();

    assertThatThrownBy(() -> sketch.halveStep(0)).hasMessage("maxCounters must be at least 1: 0");
  }

  @Test
  void errorBound_knownShape_isTheDocumentedFormula() {
    CountMinSketch sketch = builder().width(272).depth(5).build();
    sketch.touch(KEY, 100_000);

    assertThat(sketch.errorBound()).isEqualTo(1000);
    assertThat(sketch.confidence()).isCloseTo(0.99326, within(0.00001));
  }

  private static CountMinSketchBuilder builder() {
    return CountMinSketch.builder().secret(SECRET);
  }

  private static String keyCollidingInOneRow(int width) {
    long key = HASH.hash(KEY);
    for (int i = 0; ; i++) {
      String partner = "partner:" + i;
      long hash = HASH.hash(partner);
      if (Rows.position(hash, 0, width) == Rows.position(key, 0, width)
          && Rows.position(hash, 1, width) != Rows.position(key, 1, width)) {
        return partner;
      }
    }
  }
}
