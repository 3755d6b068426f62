package io.heatshield.filter;

import static io.heatshield.filter.Results.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.hash.HashSecret;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FilterBudgetTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final int ITEMS = 100_000;

  @Test
  void build_overBudgetUnderRefuse_throwsWithTheComputation() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(SECRET)
                    .growth(Growth.REFUSE)
                    .maxBytes(1_500_000)
                    .build())
        .withMessageContaining("1000000 items in 263174 buckets of 4 x 13 bits need 1740872 bytes")
        .withMessageContaining("maxBytes is 1500000; 11 bits fit")
        .withMessageContaining("rate of 0.00371");
  }

  @Test
  void build_overBudgetUnderDegrade_usesFewerBitsAndWarns() {
    var warnings = new ArrayList<String>();

    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .maxBytes(1_500_000)
            .onOverBudget(OverBudget.DEGRADE)
            .onWarning(warnings::add)
            .build();

    assertThat(filter.stats().fingerprintBits()).isEqualTo(11);
    assertThat(filter.bytes()).isLessThanOrEqualTo(1_500_000);
    assertThat(warnings).singleElement().asString().contains("11 bits fit and give");
  }

  @Test
  void maxBytes_lowered_shrinksAndFindsAllKeys() {
    CuckooFilter filter = full(OverBudget.DEGRADE);
    long before = filter.bytes();

    ShrinkResult shrink = filter.maxBytes(before * 3 / 4);

    assertThat(shrink.done()).isTrue();
    assertThat(shrink.bytesBefore()).isEqualTo(before);
    assertThat(shrink.bytesAfter()).isEqualTo(filter.bytes()).isLessThanOrEqualTo(before * 3 / 4);
    assertThat(shrink.rateAfter()).isEqualTo(filter.expectedFalsePositiveRate());
    assertThat(shrink.rateAfter() / shrink.rateBefore()).isBetween(15.9, 16.1);
    assertThat(keys().allMatch(filter::mightContain)).isTrue();
    assertThat(keys().mapToObj(key -> filter.remove(key, () -> true)))
        .containsOnly(RemoveResult.REMOVED);
  }

  @Test
  void maxBytes_belowTheShortestFingerprints_changesNothing() {
    CuckooFilter filter = full(OverBudget.DEGRADE);
    FilterStats before = filter.stats();

    ShrinkResult shrink = filter.maxBytes(before.bytes() / 4);

    assertThat(shrink.done()).isFalse();
    assertThat(filter.stats()).isEqualTo(before);
  }

  @Test
  void maxBytes_loweredUnderRefuse_changesNothing() {
    CuckooFilter filter = full(OverBudget.REFUSE);
    FilterStats before = filter.stats();

    ShrinkResult shrink = filter.maxBytes(before.bytes() - 1);

    assertThat(shrink.done()).isFalse();
    assertThat(filter.stats()).isEqualTo(before);
  }

  @Test
  void add_chainAtItsBudget_asksTheListenerOnceAndRefuses() {
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
                  return Pressure.Relief.REBUILD;
                })
            .build();
    var keys = new SplittableRandom(1);

    AddResult last = AddResult.ADDED;
    for (int i = 0; i < 20_000; i++) {
      last = filter.add(keys.nextLong());
    }

    assertThat(last).isEqualTo(AddResult.FULL);
    assertThat(asked).hasSize(1);
    assertThat(asked.get(0).cause()).isEqualTo(Pressure.Cause.GROWTH);
    assertThat(asked.get(0).bytesAsked()).isGreaterThan(60_000);
    assertThat(filter.bytes()).isLessThanOrEqualTo(60_000);
    assertThat(filter.stats().rebuildWanted()).isTrue();
  }

  @Test
  void add_chainAtItsBudgetUnderDegrade_shortensFingerprintsAndGrows() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(20_000)
            .growth(Growth.CHAIN)
            .maxBytes(200_000)
            .onOverBudget(OverBudget.DEGRADE)
            .build();
    var accepted = new ArrayList<Long>();
    var keys = new SplittableRandom(1);

    for (int i = 0; i < 200_000; i++) {
      long key = keys.nextLong();
      if (filter.add(key).accepted()) {
        accepted.add(key);
      }
      assertThat(filter.bytes()).isLessThanOrEqualTo(200_000);
    }

    assertThat(accepted).hasSizeGreaterThan(75_000).allMatch(filter::mightContain);
    assertThat(filter.stats().fingerprintBits()).isLessThan(15);
    assertThat(filter.expectedFalsePositiveRate()).isGreaterThan(0.001);
  }

  private static CuckooFilter full(OverBudget policy) {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(ITEMS)
            .onOverBudget(policy)
            .build();
    keys().forEach(key -> accepted(filter.add(key)));
    return filter;
  }

  private static LongStream keys() {
    return new SplittableRandom(9).longs(ITEMS);
  }
}
