package io.heatshield.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
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
  private static final KeyHash HASH = KeyHash.fast(HashSecret.of(new byte[16]));

  @Property
  void estimate_anyTouches_isNeverBelowTheCountNorAboveTheTotal(
      @ForAll("shapes") CountMinSketch sketch, @ForAll("touches") List<Touch> touches) {
    Map<Integer, Long> exact = new HashMap<>();
    long total = 0;

    for (Touch touch : touches) {
      long count = exact.merge(touch.key, touch.n, Long::sum);
      total += touch.n;

      assertThat(sketch.add(hash(touch.key), touch.n)).isBetween(count, total);
    }

    assertThat(sketch.total()).isEqualTo(total);
    exact.forEach(
        (key, count) -> assertThat(sketch.estimate(hash(key))).isGreaterThanOrEqualTo(count));
  }

  @Property
  void estimate_conservative_isNeverAboveTheAdditiveOne(
      @ForAll @IntRange(min = 1, max = 9) int width,
      @ForAll @IntRange(min = 1, max = 6) int depth,
      @ForAll("touches") List<Touch> touches) {
    SketchBuilder builder = CountMinSketch.builder().dimensions(width, depth);
    CountMinSketch conservative = builder.build();
    CountMinSketch additive = builder.update(Update.ADDITIVE).build();

    for (Touch touch : touches) {
      long lower = conservative.add(hash(touch.key), touch.n);
      long upper = additive.add(hash(touch.key), touch.n);

      assertThat(lower).isLessThanOrEqualTo(upper);
    }
  }

  @Property
  void merge_twoSketches_isNeverBelowTheSum(
      @ForAll("shapes") CountMinSketch one,
      @ForAll("touches") List<Touch> first,
      @ForAll("touches") List<Touch> second,
      @ForAll("touches") List<Touch> after) {
    CountMinSketch other =
        CountMinSketch.builder().dimensions(one.width(), one.depth()).stripes(1).build();
    Map<Integer, Long> exact = new HashMap<>();
    addAll(one, first, exact);
    addAll(other, second, exact);

    one.merge(other);
    addAll(one, after, exact);

    exact.forEach(
        (key, count) -> assertThat(one.estimate(hash(key))).isGreaterThanOrEqualTo(count));
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
      sketch.count(hash(touch.key), touch.n);
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
              assertThat((double) sketch.estimate(hash(key)))
                  .isGreaterThanOrEqualTo(count * share));
    }
  }

  @Property
  void restore_anySketch_equalsTheOriginal(
      @ForAll("shapes") CountMinSketch sketch,
      @ForAll("touches") List<Touch> touches,
      @ForAll @IntRange(max = 40) int halved) {
    addAll(sketch, touches, new HashMap<>());
    if (halved > 0) {
      sketch.halveStep(halved);
    }

    byte[] stored = sketch.snapshot(HASH);
    CountMinSketch again = CountMinSketch.restore(stored, HASH);

    assertThat(again.snapshot(HASH)).isEqualTo(stored);
    assertThat(again.total()).isEqualTo(sketch.total());
    assertThat(again.errorBound()).isEqualTo(sketch.errorBound());
    for (int key = 0; key < 20; key++) {
      assertThat(again.estimate(hash(key))).isEqualTo(sketch.estimate(hash(key)));
    }
    assertThat(again.halveStep(1)).isEqualTo(sketch.halveStep(1));
    assertThat(again.add(hash(1), 7)).isEqualTo(sketch.add(hash(1), 7));
  }

  @Provide
  Arbitrary<CountMinSketch> shapes() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 12),
            Arbitraries.integers().between(1, 6),
            Arbitraries.of(Update.values()),
            Arbitraries.of(32, 64),
            Arbitraries.of(0, 1, 2, 4))
        .as(
            (width, depth, update, bits, stripes) -> {
              SketchBuilder builder =
                  CountMinSketch.builder()
                      .dimensions(width, depth)
                      .update(update)
                      .counterBits(bits);
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
      sketch.count(hash(touch.key), touch.n);
      exact.merge(touch.key, touch.n, Long::sum);
    }
  }

  private static long hash(int key) {
    return HASH.hash("key:" + key);
  }

  record Touch(int key, long n) {}
}
