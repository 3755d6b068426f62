package io.heatshield.filter;

import static io.heatshield.filter.KeySources.scan;
import static io.heatshield.filter.Results.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FilterRebuildTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  @Test
  void rebuild_fullFilter_fitsTheSourceAndReportsProgress() {
    CuckooFilter filter = filter(1_000, 0.001);
    long[] keys = new SplittableRandom(1).longs(200_000).toArray();
    for (long key : keys) {
      AddResult unused = filter.add(key);
    }
    assertThat(filter.stats().rebuildWanted()).isTrue();
    var progress = new ArrayList<Long>();

    RebuildResult result = filter.rebuild(source(true, keys), progress::add);

    assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
    assertThat(result.scanned()).isEqualTo(200_000);
    assertThat(progress).containsExactly(65_536L, 131_072L, 196_608L);
    assertThat(filter.stats().rebuildWanted()).isFalse();
    assertThat(filter.size()).isEqualTo(200_000);
    assertThat(Arrays.stream(keys).allMatch(filter::mightContain)).isTrue();
  }

  @Test
  void rebuild_changesDuringTheScan_keepsExactlyTheExpectedKeys() {
    // Four bits per fingerprint, so that nearly every key looks like some others.
    CuckooFilter filter = filter(4_000, 0.5);
    long[] stored = new SplittableRandom(1).longs(2_000).toArray();
    long[] added = new SplittableRandom(2).longs(500).toArray();
    for (long key : stored) {
      assertThat(filter.add(key, () -> false).accepted()).isTrue();
    }
    // Before every fourth key i is delivered, key (i + 700) mod n is deleted and a new key is
    // added. For every sixteenth i both changes are reverted.
    KeySource source =
        scan(
            true,
            2_000,
            sink -> {
              for (int i = 0; i < stored.length; i++) {
                int j = (i + 700) % stored.length;
                if (i % 4 == 0) {
                  assertThat(filter.remove(stored[j], () -> true)).isEqualTo(RemoveResult.REMOVED);
                  accepted(filter.add(added[i / 4], () -> false));
                }
                if (i % 16 == 0) {
                  accepted(filter.add(stored[j], () -> false));
                  filter.remove(added[i / 4], () -> true);
                }
                deliver(sink, stored[i]);
              }
            });

    RebuildResult result = filter.rebuild(source, FilterRebuildTest::ignoreProgress);

    assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
    assertThat(result.kept()).isZero();
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < stored.length; i++) {
      int j = (i + 700) % stored.length;
      if (i % 4 != 0 || i % 16 == 0) {
        expected.add(stored[j]);
      }
      if (i % 4 == 0 && i % 16 != 0) {
        expected.add(added[i / 4]);
      }
    }
    assertThat(expected).allMatch(filter::mightContain);
    assertThat(filter.size()).isEqualTo(expected.size());
    expected.forEach(
        key -> assertThat(filter.remove(key, () -> true)).isEqualTo(RemoveResult.REMOVED));
    assertThat(filter.size()).isZero();
  }

  @Test
  void rebuild_liveScan_keepsUncertainDeletionsAndLosesNothing() {
    CuckooFilter filter = filter(4_000, 0.5);
    long[] stored = new SplittableRandom(1).longs(2_000).toArray();
    for (long key : stored) {
      accepted(filter.add(key, () -> false));
    }
    KeySource source =
        scan(
            false,
            2_000,
            sink -> {
              for (int i = 0; i < 2_000; i++) {
                if (i < 1_000) {
                  // Deleted before the scan reaches it, so it is not delivered.
                  filter.remove(stored[1_000 + i], () -> true);
                  deliver(sink, stored[i]);
                }
              }
            });

    RebuildResult result = filter.rebuild(source, FilterRebuildTest::ignoreProgress);

    assertThat(result.kept()).isPositive();
    for (int i = 0; i < 1_000; i++) {
      assertThat(filter.mightContain(stored[i])).isTrue();
    }
  }

  @Test
  void rebuild_sourceThrows_keepsTheOldFilter() {
    CuckooFilter filter = filter(1_000, 0.001);
    accepted(filter.add(1L << 50));
    KeySource broken =
        scan(
            true,
            10,
            sink -> {
              accepted(filter.add(2L << 50));
              throw new IllegalStateException("store is gone");
            });

    assertThatIllegalStateException()
        .isThrownBy(() -> filter.rebuild(broken, FilterRebuildTest::ignoreProgress))
        .withMessage("store is gone");

    assertThat(filter.mightContain(1L << 50)).isTrue();
    assertThat(filter.mightContain(2L << 50)).isTrue();
    assertThat(
            filter
                .rebuild(source(true, 1L << 50, 2L << 50), FilterRebuildTest::ignoreProgress)
                .outcome())
        .isEqualTo(RebuildResult.Outcome.DONE);
  }

  @Test
  void rebuild_sourceDeliversTooManyKeys_isAborted() {
    CuckooFilter filter = filter(1_000, 0.001);
    accepted(filter.add(7L << 50));
    long[] many = new SplittableRandom(1).longs(1_000).toArray();
    KeySource forged = scan(true, 10, sink -> deliver(sink, many));

    RebuildResult result = filter.rebuild(forged, FilterRebuildTest::ignoreProgress);

    assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.SOURCE_TOO_LARGE);
    assertThat(filter.mightContain(7L << 50)).isTrue();
    assertThat(filter.size()).isEqualTo(1);
  }

  @Test
  void rebuild_filterClearedMeanwhile_isOvertaken() {
    CuckooFilter filter = filter(1_000, 0.001);
    KeySource source =
        scan(
            true,
            10,
            sink -> {
              filter.clear();
              deliver(sink, 5L << 50);
            });

    RebuildResult result = filter.rebuild(source, FilterRebuildTest::ignoreProgress);

    assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.OVERTAKEN);
    assertThat(filter.size()).isZero();
  }

  @Test
  void rebuild_whileAnotherRuns_throws() {
    CuckooFilter filter = filter(1_000, 0.001);
    KeySource nested =
        scan(
            true,
            10,
            sink -> {
              RebuildResult unused =
                  filter.rebuild(source(true), FilterRebuildTest::ignoreProgress);
            });

    assertThatThrownBy(() -> filter.rebuild(nested, FilterRebuildTest::ignoreProgress))
        .hasMessage("rebuild must not run twice at the same time");
  }

  @Test
  void rebuild_overBudget_isRefusedOrUsesShorterFingerprints() {
    var answer = new Pressure.Relief[] {Pressure.Relief.REFUSE};
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(10_000)
            .maxBytes(85_000)
            .listener(pressure -> answer[0])
            .build();
    long[] keys = new SplittableRandom(1).longs(10_000).toArray();

    RebuildResult refused = filter.rebuild(source(true, keys), FilterRebuildTest::ignoreProgress);
    answer[0] = Pressure.Relief.SHRINK_FINGERPRINTS;
    RebuildResult shortened = filter.rebuild(source(true, keys), FilterRebuildTest::ignoreProgress);

    assertThat(refused.outcome()).isEqualTo(RebuildResult.Outcome.OVER_BUDGET);
    assertThat(shortened.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
    assertThat(filter.stats().fingerprintBits()).isBetween(4, 12);
    assertThat(Arrays.stream(keys).allMatch(filter::mightContain)).isTrue();
  }

  @Test
  void rebuild_concurrentWritersAndReaders_losesNothing() throws Exception {
    CuckooFilter filter = filter(60_000, 0.01);
    long[] stored = new SplittableRandom(1).longs(20_000).toArray();
    for (long key : stored) {
      accepted(filter.add(key, () -> false));
    }
    var running = new AtomicBoolean(true);
    var scanning = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<List<Long>> writer =
          threads.submit(
              () -> {
                var mine = new ArrayList<Long>();
                var random = new SplittableRandom(2);
                scanning.await();
                while (running.get() && mine.size() < 20_000) {
                  long key = random.nextLong();
                  assertThat(filter.add(key, () -> false).accepted()).isTrue();
                  mine.add(key);
                }
                return mine;
              });
      Future<Boolean> reader =
          threads.submit(
              () -> {
                boolean all = true;
                while (running.get()) {
                  for (long key : stored) {
                    all &= filter.mightContain(key);
                  }
                }
                return all;
              });
      RebuildResult result =
          filter.rebuild(
              scan(
                  true,
                  55_000,
                  sink -> {
                    scanning.countDown();
                    deliver(sink, stored);
                  }),
              FilterRebuildTest::ignoreProgress);
      running.set(false);

      assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.DONE);
      assertThat(reader.get()).isTrue();
      assertThat(writer.get()).allMatch(filter::mightContain);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void ignoreProgress(long scanned) {}

  private static CuckooFilter filter(long items, double rate) {
    return CuckooFilter.builder()
        .secret(SECRET)
        .expectedItems(items)
        .falsePositiveRate(rate)
        .growth(Growth.REBUILD)
        .build();
  }

  private static KeySource source(boolean snapshot, long... keys) {
    return scan(snapshot, keys.length, sink -> deliver(sink, keys));
  }

  private static void deliver(KeySink sink, long... keys) {
    for (long key : keys) {
      if (!sink.accept(key)) {
        return;
      }
    }
  }
}
