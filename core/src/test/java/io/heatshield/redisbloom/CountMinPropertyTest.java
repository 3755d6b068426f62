package io.heatshield.redisbloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Compares sketches with exact counts. */
class CountMinPropertyTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[16]);

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void query_randomAdditions_isAtLeastTheCountAndExactWhileItemsFit(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 200) int width,
      @ForAll @IntRange(min = 1, max = 6) int depth,
      @ForAll @IntRange(min = 1, max = 400) int universe)
      throws Exception {
    var random = new SplittableRandom(seed);
    CountMin sketch = CountMin.create(SECRET, width, depth);
    Map<Integer, Long> model = new HashMap<>();
    long sum = 0;

    for (int i = 0; i < 2000; i++) {
      int item = random.nextInt(universe);
      long by = random.nextInt(100) == 0 ? 1L << 31 : random.nextInt(50);
      sum += by;
      model.merge(item, by, Long::sum);
      long estimate = sketch.add(sketch.hash(bytes(item)), by);
      long count = Math.min(CountMin.MAX_COUNT, model.getOrDefault(item, 0L));
      assertThat(estimate).isGreaterThanOrEqualTo(count);
      if (i % 500 == 0) {
        sketch = CountMin.read(sketch.toBytes(), bytes -> true);
      }
    }

    assertThat(sketch.count()).isEqualTo(sum);
    boolean exact = sketch.exact() != null;
    for (Map.Entry<Integer, Long> entry : model.entrySet()) {
      long count = Math.min(CountMin.MAX_COUNT, entry.getValue());
      long estimate = sketch.query(sketch.hash(bytes(entry.getKey())));
      assertThat(estimate).isGreaterThanOrEqualTo(count);
      if (exact) {
        assertThat(estimate).isEqualTo(count);
      }
    }
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void merge_withWeights_isAtLeastTheWeightedCounts(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 300) int universe) {
    var random = new SplittableRandom(seed);
    CountMin one = CountMin.create(SECRET, 40, 4);
    CountMin two = CountMin.create(SECRET, 40, 4);
    long[] exactOne = new long[universe];
    long[] exactTwo = new long[universe];
    for (int i = 0; i < 1000; i++) {
      int item = random.nextInt(universe);
      exactOne[item] += 2;
      one.add(one.hash(bytes(item)), 2);
      if (random.nextBoolean()) {
        exactTwo[item]++;
        two.add(two.hash(bytes(item)), 1);
      }
    }

    CountMin difference = CountMin.merge(List.of(one, two), new long[] {1, -1});
    CountMin sum = CountMin.merge(List.of(one, two), new long[] {3, 5});
    CountMin impossible = CountMin.merge(List.of(two, one), new long[] {1, -1});

    assertThat(impossible).isNull();
    assertThat(difference).isNotNull();
    assertThat(sum).isNotNull();
    for (int item = 0; item < universe; item++) {
      long hash = one.hash(bytes(item));
      assertThat(difference.query(hash))
          .isGreaterThanOrEqualTo(exactOne[item] - exactTwo[item])
          .isLessThanOrEqualTo(one.query(hash));
      assertThat(sum.query(hash)).isGreaterThanOrEqualTo(3 * exactOne[item] + 5 * exactTwo[item]);
    }
  }

  private static byte[] bytes(int item) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(item).array();
  }
}
