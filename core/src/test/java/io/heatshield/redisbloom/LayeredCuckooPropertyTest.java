package io.heatshield.redisbloom;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Compares a filter with an exact multiset, over random runs with growth and repetition. */
class LayeredCuckooPropertyTest {
  private static final int STEPS = 20_000;

  record Setup(long seed, int capacity, int expansion, int spare, int universe) {}

  @Provide
  Arbitrary<Setup> setups() {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.of(4, 30, 300, 3_000),
            Arbitraries.of(0, 1),
            Arbitraries.of(1, 2, 4, 16),
            Arbitraries.of(10, 500, 5_000))
        .as(Setup::new);
  }

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void filter_randomOperations_neverLosesAnItem(@ForAll("setups") Setup setup) throws Exception {
    var random = new SplittableRandom(setup.seed());
    LayeredCuckoo filter =
        LayeredCuckoo.create(
            new CuckooShape(setup.capacity(), 2, 20, setup.expansion()),
            setup.expansion() * setup.spare());
    Map<Integer, Long> model = new HashMap<>();

    for (int i = 0; i < STEPS; i++) {
      int item = random.nextInt(setup.universe());
      long hash = filter.hash(bytes(item));
      int dice = random.nextInt(1000);
      if (dice < 600) {
        LayeredCuckoo.Added added = filter.add(hash, dice < 200, more -> more < 1 << 20);
        if (added == LayeredCuckoo.Added.ADDED) {
          model.merge(item, 1L, Long::sum);
        } else if (added == LayeredCuckoo.Added.PRESENT) {
          assertThat(filter.contains(hash)).isTrue();
        }
      } else if (dice < 998) {
        long before = model.getOrDefault(item, 0L);
        assertThat(filter.count(hash)).isGreaterThanOrEqualTo(before);
        if (before > 0) {
          assertThat(filter.delete(hash)).isTrue();
          model.put(item, before - 1);
        }
      } else if (dice == 998) {
        filter.compact();
      } else {
        filter = LayeredCuckoo.read(filter.toBytes(), bytes -> true);
      }
    }

    long size = 0;
    for (Map.Entry<Integer, Long> entry : model.entrySet()) {
      assertThat(filter.count(filter.hash(bytes(entry.getKey()))))
          .isGreaterThanOrEqualTo(entry.getValue());
      size += entry.getValue();
    }
    assertThat(filter.size()).isEqualTo(size);
    for (Map.Entry<Integer, Long> entry : model.entrySet()) {
      for (long left = entry.getValue(); left > 0; left--) {
        assertThat(filter.delete(filter.hash(bytes(entry.getKey())))).isTrue();
      }
    }
    assertThat(filter.size()).isZero();
  }

  /** Random collisions are too rare with these fingerprints, so this constructs one. */
  @Property(tries = 200)
  void delete_itemThatLooksLikeAnother_keepsTheOther(
      @ForAll long hash, @ForAll int low, @ForAll @IntRange(min = 1, max = 4) int spare) {
    LayeredCuckoo filter = LayeredCuckoo.create(new CuckooShape(4, 2, 20, 4), spare);
    long twin = hash ^ ((low & 0x3ffL) << 20);
    assertThat(filter.add(hash, false, more -> true)).isEqualTo(LayeredCuckoo.Added.ADDED);
    for (int i = 0; i < 40; i++) {
      filter.add(filter.hash(bytes(i)), false, more -> true);
    }
    assertThat(filter.add(twin, false, more -> true)).isEqualTo(LayeredCuckoo.Added.ADDED);

    assertThat(filter.delete(hash)).isTrue();

    assertThat(filter.contains(twin)).isTrue();
    assertThat(filter.delete(twin)).isTrue();
  }

  private static byte[] bytes(int item) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(item).array();
  }
}
