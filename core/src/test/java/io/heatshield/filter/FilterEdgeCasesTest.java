package io.heatshield.filter;

import static io.heatshield.filter.KeySources.scan;
import static io.heatshield.filter.Results.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FilterEdgeCasesTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  @Test
  void rebuild_copyOfAKeyAddedAndDeletedMeanwhile_stillFindsTheKey() {
    for (boolean snapshot : new boolean[] {true, false}) {
      CuckooFilter filter =
          CuckooFilter.builder().secret(SECRET).growth(Growth.REFUSE).expectedItems(1_000).build();
      long[] keys = new SplittableRandom(1).longs(100).toArray();
      for (long key : keys) {
        accepted(filter.add(key));
      }
      KeySource source =
          scan(
              snapshot,
              100,
              sink -> {
                for (int i = 0; i < keys.length; i++) {
                  long overwritten = keys[(i + 50) % keys.length];
                  accepted(filter.add(overwritten));
                  filter.remove(overwritten, () -> true);
                  boolean unused = sink.accept(keys[i]);
                }
              });

      RebuildResult result = filter.rebuild(source, done -> {});

      assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
      for (long key : keys) {
        assertThat(filter.mightContain(key)).isTrue();
      }
    }
  }

  @Test
  void rebuild_keyOfWhichNoCopyWasAddedMeanwhile_stillFindsTheKey() {
    for (Growth growth : new Growth[] {Growth.REFUSE, Growth.CHAIN}) {
      CuckooFilter filter =
          CuckooFilter.builder()
              .secret(SECRET)
              .expectedItems(growth == Growth.CHAIN ? 600 : 4_000)
              .growth(growth)
              .falsePositiveRate(0.5)
              .maxCopies(1)
              .build();
      long[] stored = new SplittableRandom(1).longs(2_000).toArray();
      long[] added = new SplittableRandom(2).longs(100).toArray();
      for (long key : stored) {
        assertThat(filter.add(key)).isNotEqualTo(AddResult.FULL);
      }
      var found = new ArrayList<Long>();
      KeySource source =
          scan(
              true,
              2_500,
              sink -> {
                for (int i = 0; i < stored.length; i++) {
                  if (i % 20 == 0 && filter.add(added[i / 20]) != AddResult.FULL) {
                    found.add(added[i / 20]);
                  }
                  boolean unused = sink.accept(stored[i]);
                }
              });

      RebuildResult result = filter.rebuild(source, done -> {});

      assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
      assertThat(found).allMatch(filter::mightContain);
    }
  }

  @Test
  void rebuild_withBudget_neverExceedsIt() {
    CuckooFilter reference =
        CuckooFilter.builder().secret(SECRET).growth(Growth.REFUSE).expectedItems(11_250).build();
    long budget = 2 * reference.bytes() + 64;
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(11_250)
            .maxBytes(budget)
            .build();
    long[] keys = new SplittableRandom(1).longs(10_000).toArray();
    for (long key : keys) {
      accepted(filter.add(key));
    }
    long[] maxBytes = new long[1];
    KeySource source =
        scan(
            true,
            10_000,
            sink -> {
              for (int i = 0; i < keys.length; i++) {
                filter.remove(keys[i], () -> true);
                accepted(filter.add(keys[i]));
                maxBytes[0] = Math.max(maxBytes[0], filter.bytes());
                if (!sink.accept(keys[i])) {
                  return;
                }
              }
            });

    RebuildResult unused = filter.rebuild(source, done -> {});

    assertThat(maxBytes[0]).isLessThanOrEqualTo(budget);
  }

  @Test
  void add_listenerRaisedTheBudgetAndRefused_growsAtTheNextCall() {
    var holder = new ArrayList<CuckooFilter>();
    var asked = new ArrayList<Pressure>();
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(1_000)
            .growth(Growth.CHAIN)
            .maxBytes(60_000)
            .listener(
                pressure -> {
                  asked.add(pressure);
                  holder.get(0).maxBytes(pressure.bytesAsked());
                  return Pressure.Relief.REFUSE;
                })
            .build();
    holder.add(filter);
    SplittableRandom random = new SplittableRandom(1);
    while (asked.isEmpty()) {
      AddResult unused = filter.add(random.nextLong());
    }

    assertThat(filter.stats().maxBytes()).isEqualTo(asked.get(0).bytesAsked());
    assertThat(filter.add(random.nextLong()).accepted()).isTrue();
  }

  @Test
  void add_copyWithinTheLimitAndRoomOnlyInAnOlderTable_isAdded() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(500)
            .growth(Growth.CHAIN)
            .maxCopies(4)
            .build();
    SplittableRandom random = new SplittableRandom(1);
    long copied = random.nextLong();
    accepted(filter.add(copied));
    accepted(filter.add(copied));
    List<Long> first = new ArrayList<>();
    while (filter.stats().subFilters() == 1) {
      long key = random.nextLong();
      if (filter.add(key) == AddResult.ADDED) {
        first.add(key);
      }
    }
    while (filter.size() < filter.capacity()) {
      AddResult unused = filter.add(random.nextLong());
    }
    assertThat(filter.stats().subFilters()).isEqualTo(2);
    for (int i = 0; i < 100; i++) {
      filter.remove(first.get(i), () -> true);
    }

    assertThat(filter.add(copied).accepted()).isTrue();
    assertThat(filter.add(copied).accepted()).isTrue();
    assertThat(filter.add(copied)).isEqualTo(AddResult.AT_LIMIT);
    assertThat(filter.count(copied)).isEqualTo(4);
  }

  @Test
  void chain_keysDeletedAndAddedRepeatedly_keepsItsSize() {
    // Ten times the expected keys, so that the filter grows.
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(1_000)
            .growth(Growth.CHAIN)
            .maxBytes(50_000_000)
            .build();
    long[] keys = new SplittableRandom(1).longs(10_000).toArray();
    for (long key : keys) {
      assertThat(filter.add(key, () -> false).accepted()).isTrue();
    }
    long bytes = filter.bytes();
    int cycles = 0;
    for (long key : keys) {
      // Each key is deleted and added again a hundred times.
      for (int i = 0; i < 100 && cycles < 1_000_000; i++, cycles++) {
        RemoveResult removed = filter.remove(key, () -> true);
        assertThat(removed).isIn(RemoveResult.REMOVED, RemoveResult.KEPT);
        assertThat(filter.add(key, () -> false)).isNotEqualTo(AddResult.FULL);
      }
    }

    assertThat(filter.bytes()).isLessThanOrEqualTo(2 * bytes);
    assertThat(filter.stats().refused()).isZero();
    for (long key : keys) {
      assertThat(filter.mightContain(key)).isTrue();
    }
  }

  @Test
  void build_moreThanTheMaximumHeap_throwsWithTheComputation() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(SECRET)
                    .growth(Growth.REFUSE)
                    .expectedItems(1L << 42)
                    .build())
        .withMessageContaining("heap");
  }

  @Test
  void filter_everyShapeFilledAndEmptiedTwice_losesNothing() {
    for (int bits = 4; bits <= 32; bits++) {
      for (int bucketSize = 1; bucketSize <= 8; bucketSize++) {
        for (int items : new int[] {1, 2, 7, 100, 1500}) {
          CuckooFilter filter =
              CuckooFilter.builder()
                  .secret(SECRET)
                  .growth(Growth.REFUSE)
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
            assertThat(in).allMatch(filter::mightContain);
            assertThat(filter.size()).isEqualTo(in.size());
            assertThat(filter.size()).isLessThanOrEqualTo(filter.capacity());
            if (bits >= 8 && bucketSize >= 4) {
              assertThat((long) in.size()).isEqualTo(filter.capacity());
            }
            for (long key : in) {
              assertThat(filter.remove(key, () -> true)).isEqualTo(RemoveResult.REMOVED);
            }
            assertThat(filter.size()).isZero();
          }
        }
      }
    }
  }

  @Test
  void filter_afterCallbacksThrew_stillWorks() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(200)
            .growth(Growth.CHAIN)
            .maxBytes(40_000)
            .listener(
                pressure -> {
                  throw new IllegalStateException("listener failed");
                })
            .build();
    SplittableRandom random = new SplittableRandom(7);
    AddResult last = AddResult.ADDED;
    for (int i = 0; i < 5_000 && last != AddResult.FULL; i++) {
      last = filter.add(random.nextLong());
    }
    assertThat(last).isEqualTo(AddResult.FULL);
    assertThat(filter.stats().listenerFaults()).isEqualTo(1);
    filter.clear();
    assertThat(filter.size()).isZero();
    assertThat(filter.add(1L)).isEqualTo(AddResult.ADDED);
    long bytes = filter.bytes();
    assertThatThrownBy(
            () ->
                filter.rebuild(
                    scan(
                        true,
                        10,
                        sink -> {
                          boolean unused = sink.accept(1L);
                          throw new IllegalArgumentException("source failed");
                        }),
                    done -> {}))
        .isInstanceOf(RuntimeException.class);
    assertThat(filter.bytes()).isEqualTo(bytes);
    assertThat(filter.mightContain(1L)).isTrue();
  }

  @Test
  void rebuild_budgetLoweredMeanwhile_isAbortedAndTheFilterFits() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(10_000)
            .onOverBudget(OverBudget.DEGRADE)
            .build();
    long[] keys = new SplittableRandom(1).longs(9_000).toArray();
    for (long key : keys) {
      accepted(filter.add(key));
    }
    ShrinkResult[] shrink = new ShrinkResult[1];
    long bytes = filter.bytes();
    RebuildResult result =
        filter.rebuild(
            scan(
                true,
                100_000,
                sink -> {
                  shrink[0] = filter.maxBytes(bytes);
                  for (long key : keys) {
                    boolean unused = sink.accept(key);
                  }
                }),
            done -> {});
    assertThat(shrink[0].done()).isTrue();
    assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.OVERTAKEN);
    assertThat(filter.bytes()).isLessThanOrEqualTo(bytes);
  }
}
