package io.heatshield.filter;

import static io.heatshield.filter.KeySources.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FilterProbesTest {
  private static final KeyHash HASH = KeyHash.fast(HashSecret.of(new byte[32]));

  @Test
  void rate_ofShortFingerprints_isAtMostWhatIsStated() {
    for (int bits : new int[] {4, 5, 6, 8}) {
      for (int bucketSize : new int[] {1, 2, 4}) {
        CuckooFilter filter =
            CuckooFilter.builder(HASH)
                .expectedItems(500_000)
                .fingerprintBits(bits)
                .bucketSize(bucketSize)
                .build();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 250_000; i++) {
          filter.add(random.nextLong());
        }
        long probes = 2_000_000;
        long found = 0;
        for (long i = 0; i < probes; i++) {
          found += filter.contains(random.nextLong()) ? 1 : 0;
        }
        double measured = (double) found / probes;
        double stated = filter.expectedFalsePositiveRate();
        double sigma = Math.sqrt(stated * (1 - stated) / probes);
        assertThat(measured).isLessThan(stated + 3 * sigma);
      }
    }
  }

  @Test
  void snapshot_ofAChain_isRefusedWithAnyByteOrBitWrong() throws Exception {
    CuckooFilter filter = CuckooFilter.builder(HASH).expectedItems(20).growth(Growth.CHAIN).build();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 70; i++) {
      filter.add(random.nextLong());
    }
    var out = new ByteArrayOutputStream();
    filter.snapshot().writeTo(out);
    byte[] bytes = out.toByteArray();
    for (int n = 0; n < bytes.length; n++) {
      int length = n;
      assertThatThrownBy(
              () -> CuckooFilter.builder(HASH).load(new ByteArrayInputStream(bytes, 0, length)))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] copy = bytes.clone();
      copy[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThatThrownBy(() -> CuckooFilter.builder(HASH).load(new ByteArrayInputStream(copy)))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    CuckooFilter loaded = CuckooFilter.builder(HASH).load(new ByteArrayInputStream(bytes));
    assertThat(loaded.size()).isEqualTo(filter.size());
  }

  @Test
  void clear_duringGrowthAndThrowingCallbacks_leaveAWorkingFilter() {
    CuckooFilter filter =
        CuckooFilter.builder(HASH)
            .expectedItems(200)
            .growth(Growth.CHAIN)
            .budgetBytes(40_000)
            .onPressure(
                pressure -> {
                  throw new IllegalStateException("no");
                })
            .build();
    SplittableRandom random = new SplittableRandom(7);
    boolean thrown = false;
    for (int i = 0; i < 5_000 && !thrown; i++) {
      try {
        filter.add(random.nextLong());
      } catch (IllegalStateException e) {
        thrown = true;
      }
    }
    assertThat(thrown).isTrue();
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
                          boolean unused = sink.test(1L);
                          throw new IllegalArgumentException("half way");
                        }),
                    done -> {}))
        .isInstanceOf(RuntimeException.class);
    assertThat(filter.bytes()).isEqualTo(bytes);
    assertThat(filter.contains(1L)).isTrue();
  }

  @Test
  void rebuild_thenLowerBudgetMeanwhile_givesTheRebuildUpAndFits() {
    CuckooFilter filter =
        CuckooFilter.builder(HASH).expectedItems(10_000).onOverBudget(OverBudget.DEGRADE).build();
    long[] keys = new SplittableRandom(1).longs(9_000).toArray();
    for (long key : keys) {
      filter.add(key);
    }
    ShrinkResult[] shrink = new ShrinkResult[1];
    long alone = filter.bytes();
    RebuildResult result =
        filter.rebuild(
            scan(
                true,
                100_000,
                sink -> {
                  shrink[0] = filter.budgetBytes(alone);
                  for (long key : keys) {
                    boolean unused = sink.test(key);
                  }
                }),
            done -> {});
    assertThat(shrink[0].done()).isTrue();
    assertThat(result.outcome()).isEqualTo(RebuildResult.Outcome.OVERTAKEN);
    assertThat(filter.bytes()).isLessThanOrEqualTo(alone);
  }
}
