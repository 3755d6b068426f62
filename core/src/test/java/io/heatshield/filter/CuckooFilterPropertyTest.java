package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
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

/**
 * Compares a filter with an exact multiset, over long random runs.
 *
 * <p>There are ten million operations in total; {@code -Dheatshield.filter.operations} sets another
 * number.
 */
class CuckooFilterPropertyTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final int TRIES = 40;
  private static final int OPERATIONS =
      Integer.getInteger("heatshield.filter.operations", 10_000_000) / TRIES;

  record Setup(long seed, int bits, int bucketSize, int items, int evictions, Growth growth) {}

  @Provide
  Arbitrary<Setup> setups() {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.of(4, 6, 8, 10, 13, 21, 32),
            Arbitraries.integers().between(1, 8),
            Arbitraries.of(5, 50, 500, 5_000),
            Arbitraries.of(0, 3, 500),
            Arbitraries.of(Growth.values()))
        .as(Setup::new);
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void filter_randomOperations_neverLosesAKey(@ForAll("setups") Setup setup) {
    var run = new Run(setup);
    for (int i = 0; i < OPERATIONS; i++) {
      run.step();
    }
    run.checkAll();
    run.deleteAll();
  }

  /** One run: a filter, and the multiset of the keys that it holds. */
  private static final class Run {
    private final SplittableRandom random;
    private final Map<Long, Integer> model = new HashMap<>();
    private final long[] universe;
    private final CuckooFilter filter;

    /** Fingerprints of deleted keys that the filter has kept. */
    private long kept;

    Run(Setup setup) {
      random = new SplittableRandom(setup.seed());
      universe = random.longs(setup.items() * 3L).distinct().toArray();
      filter =
          CuckooFilter.builder()
              .secret(SECRET)
              .expectedItems(setup.items())
              .fingerprintBits(setup.bits())
              .bucketSize(setup.bucketSize())
              .maxEvictions(setup.evictions())
              .growth(setup.growth())
              .onOverBudget(OverBudget.DEGRADE)
              .build();
      filter.maxBytes(filter.bytes() * 6);
    }

    void step() {
      long key = universe[random.nextInt(universe.length)];
      int copies = model.getOrDefault(key, 0);
      switch (random.nextInt(40)) {
        case 0, 1, 2, 3, 4, 5 -> add(key, copies);
        case 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 -> addIfAbsent(key, copies);
        case 16, 17, 18, 19, 20, 21, 22, 23 -> delete(key, copies);
        case 24, 25, 26, 27, 28 -> deleteIfPresent(key, copies);
        case 29 -> rareOperation();
        default -> lookUp(key, copies);
      }
    }

    void checkAll() {
      long stored = 0;
      for (Map.Entry<Long, Integer> entry : model.entrySet()) {
        assertThat(filter.mightContain(entry.getKey())).isTrue();
        assertThat(filter.count(entry.getKey())).isGreaterThanOrEqualTo(entry.getValue());
        stored += entry.getValue();
      }
      assertThat(filter.size()).isEqualTo(stored + kept).isLessThanOrEqualTo(filter.capacity());
      assertThat(filter.bytes()).isLessThanOrEqualTo(filter.stats().maxBytes());
    }

    void deleteAll() {
      model.forEach(
          (key, copies) -> {
            for (int i = 0; i < copies; i++) {
              RemoveResult result = filter.remove(key, () -> true);
              assertThat(result).isIn(RemoveResult.REMOVED, RemoveResult.KEPT);
              kept += result == RemoveResult.KEPT ? 1 : 0;
            }
          });
      assertThat(filter.size()).isEqualTo(kept);
    }

    private void add(long key, int copies) {
      AddResult result = filter.add(key);
      assertThat(result).isNotEqualTo(AddResult.PRESENT);
      if (result.accepted()) {
        model.put(key, copies + 1);
      }
    }

    private void addIfAbsent(long key, int copies) {
      AddResult result = filter.add(key, () -> copies > 0);
      assertThat(result == AddResult.PRESENT).isEqualTo(copies > 0);
      if (result.accepted()) {
        model.putIfAbsent(key, 1);
      }
    }

    private void delete(long key, int copies) {
      if (copies > 0) {
        RemoveResult result = filter.remove(key, () -> true);
        assertThat(result).isIn(RemoveResult.REMOVED, RemoveResult.KEPT);
        removed(key, copies, result);
      }
    }

    private void deleteIfPresent(long key, int copies) {
      long size = filter.size();
      RemoveResult result = filter.remove(key, () -> copies > 0);
      if (copies == 0) {
        assertThat(result).isIn(RemoveResult.ABSENT, RemoveResult.NOT_OWNED);
        assertThat(filter.size()).isEqualTo(size);
      } else {
        removed(key, copies, result);
      }
    }

    private void removed(long key, int copies, RemoveResult result) {
      kept += result == RemoveResult.KEPT ? 1 : 0;
      if (copies == 1) {
        model.remove(key);
      } else {
        model.put(key, copies - 1);
      }
    }

    private void lookUp(long key, int copies) {
      if (copies > 0) {
        assertThat(filter.mightContain(key)).isTrue();
      }
    }

    private void rareOperation() {
      switch (random.nextInt(600)) {
        case 0 -> {
          filter.clear();
          model.clear();
          kept = 0;
        }
        case 1 -> filter.maxBytes(Math.max(1, filter.bytes() - filter.bytes() / 8));
        case 2 -> filter.maxBytes(filter.bytes() * 6);
        case 3, 4 -> rebuild();
        case 5, 6 -> checkAll();
        default -> {}
      }
    }

    private void rebuild() {
      RebuildResult result =
          filter.rebuild(
              new KeySource() {
                @Override
                public long expectedItems() {
                  return model.size();
                }

                @Override
                public boolean snapshot() {
                  return true;
                }

                @Override
                public void scan(KeySink sink) {
                  for (long key : model.keySet()) {
                    if (!sink.accept(key)) {
                      return;
                    }
                  }
                }
              },
              done -> {});
      if (result.outcome() == RebuildResult.Outcome.DONE) {
        model.replaceAll((key, copies) -> 1);
        kept = 0;
      }
      checkAll();
    }
  }
}
