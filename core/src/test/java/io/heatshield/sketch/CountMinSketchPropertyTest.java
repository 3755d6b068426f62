package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.count.Rows;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Compares sketches with exact counts, in small shapes with many collisions. */
class CountMinSketchPropertyTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[16]);
  private static final KeyHash HASH = KeyHash.fast(SECRET);

  @Property
  void estimate_anyTouches_isNeverBelowTheCountNorAboveTheTotal(
      @ForAll("shapes") CountMinSketch sketch, @ForAll("touches") List<Touch> touches) {
    Map<Integer, Long> exact = new HashMap<>();
    long total = 0;

    for (Touch touch : touches) {
      long count = exact.merge(touch.key, touch.n, Long::sum);
      total += touch.n;

      sketch.touch(key(touch.key), touch.n);
      assertThat(sketch.estimate(key(touch.key))).isBetween(count, total);
    }

    assertThat(sketch.total()).isEqualTo(total);
    exact.forEach(
        (key, count) -> assertThat(sketch.estimate(key(key))).isGreaterThanOrEqualTo(count));
  }

  @Property
  void estimate_anyTouches_isNeverAboveThatOfAnAdditiveSketch(
      @ForAll @IntRange(min = 1, max = 9) int width,
      @ForAll @IntRange(min = 1, max = 6) int depth,
      @ForAll("touches") List<Touch> touches) {
    CountMinSketch sketch = builder().width(width).depth(depth).build();
    Map<Integer, Long> exact = new HashMap<>();

    addAll(sketch, touches, exact);

    exact
        .keySet()
        .forEach(
            key ->
                assertThat(sketch.estimate(key(key)))
                    .isLessThanOrEqualTo(additive(key, exact, width, depth)));
  }

  @Property
  void merge_twoSketches_isNeverBelowTheSum(
      @ForAll("shapes") CountMinSketch one,
      @ForAll("touches") List<Touch> first,
      @ForAll("touches") List<Touch> second,
      @ForAll("touches") List<Touch> after) {
    CountMinSketch other = builder().width(one.width()).depth(one.depth()).stripes(1).build();
    Map<Integer, Long> exact = new HashMap<>();
    addAll(one, first, exact);
    addAll(other, second, exact);

    one.merge(other);
    addAll(one, after, exact);

    exact.forEach((key, count) -> assertThat(one.estimate(key(key))).isGreaterThanOrEqualTo(count));
  }

  /** Checks the guarantee of halveStep for touches before, during and after each halving. */
  @Property
  void halveStep_touchesBeforeDuringAndAfter_areNeverBelowTheGuarantee(
      @ForAll("shapes") CountMinSketch sketch,
      @ForAll("touches") List<Touch> touches,
      @ForAll @IntRange(min = 1, max = 30) int step,
      @ForAll @IntRange(min = 1, max = 5) int every) {
    Map<Integer, Double> floor = new HashMap<>();
    boolean halving = false;

    for (int i = 0; i < touches.size(); i++) {
      Touch touch = touches.get(i);
      sketch.touch(key(touch.key), touch.n);
      floor.merge(touch.key, (double) touch.n, Double::sum);
      if (i % every == 0) {
        halving = !sketch.halveStep(step);
        if (!halving) {
          floor.replaceAll((key, count) -> count / 2);
        }
      }
      double share = halving ? 0.5 : 1;
      floor.forEach(
          (key, count) ->
              assertThat((double) sketch.estimate(key(key))).isGreaterThanOrEqualTo(count * share));
    }
  }

  @Property
  void restore_anySketch_equalsTheOriginal(
      @ForAll("shapes") CountMinSketch sketch,
      @ForAll("touches") List<Touch> touches,
      @ForAll @IntRange(max = 40) int halved)
      throws IOException {
    addAll(sketch, touches, new HashMap<>());
    if (halved > 0) {
      sketch.halveStep(halved);
    }

    byte[] stored = bytes(sketch);
    CountMinSketch again = builder().restore(new ByteArrayInputStream(stored));

    assertThat(bytes(again)).isEqualTo(stored);
    assertThat(again.total()).isEqualTo(sketch.total());
    assertThat(again.errorBound()).isEqualTo(sketch.errorBound());
    for (int key = 0; key < 20; key++) {
      assertThat(again.estimate(key(key))).isEqualTo(sketch.estimate(key(key)));
    }
    assertThat(again.halveStep(1)).isEqualTo(sketch.halveStep(1));
    again.touch(key(1), 7);
    sketch.touch(key(1), 7);
    assertThat(again.estimate(key(1))).isEqualTo(sketch.estimate(key(1)));
  }

  @Provide
  Arbitrary<CountMinSketch> shapes() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 12),
            Arbitraries.integers().between(1, 6),
            Arbitraries.of(32, 64),
            Arbitraries.of(0, 1, 2, 4))
        .as(
            (width, depth, bits, stripes) -> {
              CountMinSketchBuilder builder = builder().width(width).depth(depth).counterBits(bits);
              return stripes == 0
                  ? builder.singleWriter().build()
                  : builder.stripes(stripes).build();
            });
  }

  @Provide
  Arbitrary<List<Touch>> touches() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 19), Arbitraries.longs().between(1, 1000))
        .as(Touch::new)
        .list()
        .ofMaxSize(60);
  }

  private static void addAll(CountMinSketch sketch, List<Touch> touches, Map<Integer, Long> exact) {
    for (Touch touch : touches) {
      sketch.touch(key(touch.key), touch.n);
      exact.merge(touch.key, touch.n, Long::sum);
    }
  }

  /** Returns the estimate of a sketch in which each counter is the sum of all its touches. */
  private static long additive(int key, Map<Integer, Long> exact, int width, int depth) {
    long least = Long.MAX_VALUE;
    for (int row = 0; row < depth; row++) {
      int number = row;
      int position = Rows.position(HASH.hash(key(key)), row, width);
      long sum =
          exact.entrySet().stream()
              .filter(e -> Rows.position(HASH.hash(key(e.getKey())), number, width) == position)
              .mapToLong(Map.Entry::getValue)
              .sum();
      least = Math.min(least, sum);
    }
    return least;
  }

  private static CountMinSketchBuilder builder() {
    return CountMinSketch.builder().secret(SECRET);
  }

  private static byte[] bytes(CountMinSketch sketch) throws IOException {
    var out = new ByteArrayOutputStream();
    sketch.writeTo(out);
    return out.toByteArray();
  }

  private static String key(int key) {
    return "key:" + key;
  }

  record Touch(int key, long n) {}
}
