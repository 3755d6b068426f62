package io.heatshield.filter;

import static io.heatshield.filter.KeySources.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FilterCornersTest {
  private static final KeyHash HASH = KeyHash.fast(HashSecret.of(new byte[32]));

  @Test
  void rebuild_whenAKeyOfTheSourceIsAddedAgainAndThatCopyDeleted_stillFindsIt() {
    for (boolean snapshot : new boolean[] {true, false}) {
      CuckooFilter filter = CuckooFilter.builder(HASH).expectedItems(1_000).build();
      long[] keys = new SplittableRandom(1).longs(100).toArray();
      for (long key : keys) {
        filter.add(key);
      }
      KeySource source =
          scan(
              snapshot,
              100,
              sink -> {
                for (int i = 0; i < keys.length; i++) {
                  long overwritten = keys[(i + 50) % keys.length];
                  filter.add(overwritten);
                  filter.delete(overwritten);
                  boolean unused = sink.test(keys[i]);
                }
              });

      RebuildResult result = filter.rebuild(source, done -> {});

      assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
      for (long key : keys) {
        assertThat(filter.contains(key)).isTrue();
      }
    }
  }

  @Test
  void rebuild_whenAKeyIsAddedIfAbsentMeanwhileAndLooksPresent_stillFindsIt() {
    for (Growth growth : new Growth[] {Growth.REFUSE, Growth.CHAIN}) {
      CuckooFilter filter =
          CuckooFilter.builder(HASH)
              .expectedItems(growth == Growth.CHAIN ? 600 : 4_000)
              .growth(growth)
              .falsePositiveRate(0.5)
              .build();
      long[] stored = new SplittableRandom(1).longs(2_000).toArray();
      long[] added = new SplittableRandom(2).longs(100).toArray();
      for (long key : stored) {
        filter.addIfAbsent(key);
      }
      var accepted = new ArrayList<Long>();
      KeySource source =
          scan(
              true,
              2_500,
              sink -> {
                for (int i = 0; i < stored.length; i++) {
                  if (i % 20 == 0 && filter.addIfAbsent(added[i / 20]).accepted()) {
                    accepted.add(added[i / 20]);
                  }
                  boolean unused = sink.test(stored[i]);
                }
              });

      RebuildResult result = filter.rebuild(source, done -> {});

      assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
      assertThat(accepted).allMatch(filter::contains);
    }
  }

  @Test
  void rebuild_underABudget_neverExceedsIt() {
    CuckooFilter one = CuckooFilter.builder(HASH).expectedItems(11_250).build();
    long budget = 2 * one.bytes() + 64;
    CuckooFilter filter =
        CuckooFilter.builder(HASH).expectedItems(11_250).budgetBytes(budget).build();
    long[] keys = new SplittableRandom(1).longs(10_000).toArray();
    for (long key : keys) {
      filter.add(key);
    }
    long[] most = new long[1];
    KeySource source =
        scan(
            true,
            10_000,
            sink -> {
              for (int i = 0; i < keys.length; i++) {
                filter.delete(keys[i]);
                filter.add(keys[i]);
                most[0] = Math.max(most[0], filter.bytes());
                if (!sink.test(keys[i])) {
                  return;
                }
              }
            });

    RebuildResult unused = filter.rebuild(source, done -> {});

    assertThat(most[0]).isLessThanOrEqualTo(budget);
  }

  @Test
  void grow_afterTheListenerRaisedTheBudgetAndRefused_isNotRefusedForEver() {
    var itself = new ArrayList<CuckooFilter>();
    var asked = new ArrayList<Pressure>();
    CuckooFilter filter =
        CuckooFilter.builder(HASH)
            .expectedItems(1_000)
            .growth(Growth.CHAIN)
            .budgetBytes(60_000)
            .onPressure(
                pressure -> {
                  asked.add(pressure);
                  itself.get(0).budgetBytes(pressure.bytesAsked());
                  return Pressure.Relief.REFUSE;
                })
            .build();
    itself.add(filter);
    SplittableRandom random = new SplittableRandom(1);
    while (asked.isEmpty()) {
      filter.add(random.nextLong());
    }

    assertThat(filter.stats().budgetBytes()).isEqualTo(asked.get(0).bytesAsked());
    assertThat(filter.add(random.nextLong()).accepted()).isTrue();
  }

  @Test
  void add_ofACopyWithinTheLimit_whenOnlyAnOlderTableHasRoom_isAdded() {
    CuckooFilter filter =
        CuckooFilter.builder(HASH).expectedItems(500).growth(Growth.CHAIN).maxCopies(4).build();
    SplittableRandom random = new SplittableRandom(1);
    long copied = random.nextLong();
    filter.add(copied);
    filter.add(copied);
    List<Long> first = new ArrayList<>();
    while (filter.stats().subFilters() == 1) {
      long key = random.nextLong();
      if (filter.add(key) == AddResult.ADDED) {
        first.add(key);
      }
    }
    while (filter.size() < filter.capacity()) {
      filter.add(random.nextLong());
    }
    assertThat(filter.stats().subFilters()).isEqualTo(2);
    for (int i = 0; i < 100; i++) {
      filter.delete(first.get(i));
    }

    assertThat(filter.add(copied).accepted()).isTrue();
    assertThat(filter.add(copied).accepted()).isTrue();
    assertThat(filter.add(copied)).isEqualTo(AddResult.AT_LIMIT);
    assertThat(filter.count(copied)).isEqualTo(4);
  }

  @Test
  void chain_whenOneKeyIsDeletedAndAddedAgainForEver_keepsItsSize() {
    // All defaults but the growth; 10,000 keys are ten times what was expected.
    CuckooFilter filter =
        CuckooFilter.builder(HASH)
            .expectedItems(1_000)
            .growth(Growth.CHAIN)
            .budgetBytes(50_000_000)
            .build();
    long[] keys = new SplittableRandom(1).longs(10_000).toArray();
    for (long key : keys) {
      assertThat(filter.addIfAbsent(key, () -> false).accepted()).isTrue();
    }
    long bytes = filter.bytes();
    int cycles = 0;
    for (long key : keys) {
      // Each key is deleted and comes back a hundred times; the owner is asked every time.
      for (int i = 0; i < 100 && cycles < 1_000_000; i++, cycles++) {
        DeleteResult unused = filter.deleteIfPresent(key, () -> true);
        filter.addIfAbsent(key, () -> false);
      }
    }

    assertThat(filter.bytes()).isLessThanOrEqualTo(2 * bytes);
    assertThat(filter.stats().refused()).isZero();
    for (long key : keys) {
      assertThat(filter.contains(key)).isTrue();
    }
  }

  @Test
  void build_ofMoreThanTheHeapCouldEverHold_isRefusedWithTheArithmetic() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CuckooFilter.builder(HASH).expectedItems(1L << 42).build())
        .withMessageContaining("heap");
  }

  @Test
  void everyShape_filledEmptiedAndFilledAgain_losesNothing() {
    for (int bits = 4; bits <= 32; bits++) {
      for (int bucketSize = 1; bucketSize <= 8; bucketSize++) {
        for (int items : new int[] {1, 2, 7, 100, 1500}) {
          CuckooFilter filter =
              CuckooFilter.builder(HASH)
                  .expectedItems(items)
                  .fingerprintBits(bits)
                  .bucketSize(bucketSize)
                  .maxCopies(2 * bucketSize)
                  .build();
          SplittableRandom random = new SplittableRandom(bits * 31 + bucketSize);
          for (int round = 0; round < 2; round++) {
            var in = new ArrayList<Long>();
            for (long i = 0; i < 2 * filter.capacity(); i++) {
              long key = random.nextLong();
              if (filter.add(key).accepted()) {
                in.add(key);
              }
            }
            assertThat(in).allMatch(filter::contains);
            assertThat(filter.size()).isEqualTo(in.size());
            assertThat(filter.size()).isLessThanOrEqualTo(filter.capacity());
            if (bits >= 8 && bucketSize >= 4) {
              assertThat((long) in.size()).isEqualTo(filter.capacity());
            }
            for (long key : in) {
              assertThat(filter.delete(key)).isEqualTo(DeleteResult.DELETED);
            }
            assertThat(filter.size()).isZero();
          }
        }
      }
    }
  }
}
