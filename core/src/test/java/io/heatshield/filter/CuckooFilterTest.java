package io.heatshield.filter;

import static io.heatshield.filter.Results.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.hash.HashSecret;
import io.heatshield.settings.InvalidSettingsException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CuckooFilterTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  @Test
  void add_anyKeyType_isFoundAndDeletedByTheOthers() {
    CuckooFilter filter =
        CuckooFilter.builder().secret(SECRET).growth(Growth.REFUSE).expectedItems(100).build();
    byte[] bytes = "grüße".getBytes(StandardCharsets.UTF_8);

    accepted(filter.add(bytes));
    accepted(filter.add(ByteBuffer.wrap(bytes)));
    accepted(filter.add("grüße"));

    assertThat(filter.count(bytes)).isEqualTo(3);
    assertThat(filter.mightContain("grüße")).isTrue();
    assertThat(filter.mightContain(ByteBuffer.wrap(bytes))).isTrue();
    assertThat(filter.remove("grüße", () -> true)).isEqualTo(RemoveResult.REMOVED);
    assertThat(filter.remove(bytes, () -> true)).isEqualTo(RemoveResult.REMOVED);
    assertThat(filter.remove(ByteBuffer.wrap(bytes), () -> true)).isEqualTo(RemoveResult.REMOVED);
    assertThat(filter.mightContain(bytes)).isFalse();
    assertThat(filter.remove(bytes, () -> true)).isEqualTo(RemoveResult.ABSENT);
  }

  @Test
  void add_beyondMaxCopies_returnsAtLimitAndKeepsTheCopies() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(100)
            .maxCopies(2)
            .build();

    assertThat(filter.add("k")).isEqualTo(AddResult.ADDED);
    assertThat(filter.add("k")).isEqualTo(AddResult.ADDED);
    assertThat(filter.add("k")).isEqualTo(AddResult.AT_LIMIT);

    assertThat(AddResult.AT_LIMIT.accepted()).isFalse();
    assertThat(filter.count("k".getBytes(StandardCharsets.UTF_8))).isEqualTo(2);
  }

  @Test
  void add_oneCopyOfAnyKeyType_takesOneSlot() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(100)
            .maxCopies(1)
            .build();
    byte[] bytes = "grüße".getBytes(StandardCharsets.UTF_8);

    assertThat(filter.add("grüße")).isEqualTo(AddResult.ADDED);
    assertThat(filter.add(ByteBuffer.wrap(bytes))).isEqualTo(AddResult.AT_LIMIT);
    assertThat(filter.add(bytes)).isEqualTo(AddResult.AT_LIMIT);
    assertThat(filter.add(ByteBuffer.wrap(new byte[] {1}))).isEqualTo(AddResult.ADDED);

    assertThat(filter.count(bytes)).isEqualTo(1);
    assertThat(filter.count(ByteBuffer.wrap(bytes))).isEqualTo(1);
    assertThat(filter.count("grüße")).isEqualTo(1);
    assertThat(filter.count("other")).isZero();
    assertThat(filter.size()).isEqualTo(2);
  }

  @Test
  void add_newKeyThatLooksPresent_asksTheOwnerAndAddsIt() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(100)
            .fingerprintBits(4)
            .build();
    long[] pair = keysThatLookAlike(filter);

    AddResult overwritten = filter.add(pair[0], () -> true);
    AddResult other = filter.add(pair[1], () -> false);

    assertThat(overwritten).isEqualTo(AddResult.PRESENT);
    assertThat(other).isEqualTo(AddResult.ADDED);
    assertThat(filter.remove(pair[0], () -> true)).isEqualTo(RemoveResult.REMOVED);
    assertThat(filter.mightContain(pair[1])).isTrue();
  }

  @Test
  void remove_keyThatTheOwnerDoesNotHave_changesNothing() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .expectedItems(100)
            .fingerprintBits(4)
            .build();
    long[] pair = keysThatLookAlike(filter);

    RemoveResult result = filter.remove(pair[1], () -> false);

    assertThat(result).isEqualTo(RemoveResult.NOT_OWNED);
    assertThat(filter.mightContain(pair[0])).isTrue();
    assertThat(filter.remove(pair[0], () -> true)).isEqualTo(RemoveResult.REMOVED);
    assertThat(filter.mightContain(pair[0])).isFalse();
  }

  @Test
  void chain_tenTimesTheExpectedItems_growsAndKeepsTheTargetRate() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(2_000)
            .falsePositiveRate(0.01)
            .growth(Growth.CHAIN)
            .build();
    var keys = new SplittableRandom(1);
    int grew = 0;
    for (int i = 0; i < 20_000; i++) {
      AddResult result = filter.add(keys.nextLong());
      assertThat(result.accepted()).isTrue();
      grew += result == AddResult.GREW ? 1 : 0;
    }

    var absent = new SplittableRandom(2);
    int positives = 0;
    for (int i = 0; i < 200_000; i++) {
      positives += filter.mightContain(absent.nextLong()) ? 1 : 0;
    }

    assertThat(filter.stats().subFilters()).isEqualTo(1 + grew).isEqualTo(5);
    var again = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      assertThat(filter.mightContain(again.nextLong())).isTrue();
    }
    assertThat(filter.expectedFalsePositiveRate()).isLessThan(0.01);
    assertThat(positives / 200_000.0).isLessThan(0.01);
  }

  @Test
  void chain_everySecondKeyDeleted_findsTheOthers() {
    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .expectedItems(500)
            .falsePositiveRate(0.5)
            .growth(Growth.CHAIN)
            .build();
    var keys = new SplittableRandom(1).longs(8_000).distinct().toArray();
    for (long key : keys) {
      assertThat(filter.add(key, () -> false).accepted()).isTrue();
    }

    int kept = 0;
    for (int i = 0; i < keys.length; i += 2) {
      RemoveResult result = filter.remove(keys[i], () -> true);
      assertThat(result).isIn(RemoveResult.REMOVED, RemoveResult.KEPT);
      kept += result == RemoveResult.KEPT ? 1 : 0;
    }

    assertThat(kept).isPositive().isEqualTo((int) filter.stats().kept());
    for (int i = 1; i < keys.length; i += 2) {
      assertThat(filter.mightContain(keys[i])).isTrue();
    }
  }

  @Test
  void add_atCapacityUnderRefuse_returnsFullAndIsCounted() {
    CuckooFilter filter =
        CuckooFilter.builder().secret(SECRET).growth(Growth.REFUSE).expectedItems(50).build();
    var keys = new SplittableRandom(6);
    while (filter.size() < filter.capacity()) {
      assertThat(filter.add(keys.nextLong())).isEqualTo(AddResult.ADDED);
    }

    AddResult result = filter.add(keys.nextLong());

    assertThat(result).isEqualTo(AddResult.FULL);
    assertThat(filter.stats().refused()).isEqualTo(1);
    assertThat(filter.load()).isLessThanOrEqualTo(0.95);
  }

  @Test
  void clear_fullFilter_removesAllKeysAndAcceptsThemAgain() {
    CuckooFilter filter =
        CuckooFilter.builder().secret(SECRET).growth(Growth.REFUSE).expectedItems(1_000).build();
    new SplittableRandom(1).longs(1_000).forEach(key -> accepted(filter.add(key)));

    filter.clear();

    assertThat(filter.size()).isZero();
    assertThat(new SplittableRandom(1).longs(1_000).noneMatch(filter::mightContain)).isTrue();
    assertThat(new SplittableRandom(1).longs(1_000).mapToObj(filter::add))
        .containsOnly(AddResult.ADDED);
  }

  @Test
  void add_keysThatClusterUnderOneSecret_fitUnderAnotherSecret() {
    CuckooFilter known =
        CuckooFilter.builder().secret(SECRET).growth(Growth.REFUSE).expectedItems(51_200).build();
    List<byte[]> clustered = new ArrayList<>();
    ByteBuffer counter = ByteBuffer.allocate(Long.BYTES);
    // Keys with the same left bucket, which a client that knows the secret can find. Together with
    // their 256 possible right buckets there are 1,028 slots for them.
    for (long i = 0; clustered.size() < 3_072; i++) {
      byte[] key = counter.putLong(0, i).array();
      if (known.keyHash().hash(key) >>> 50 == 0) {
        clustered.add(key.clone());
      }
    }
    assertThat(clustered).anyMatch(key -> known.add(key) == AddResult.FULL);

    CuckooFilter keyed = CuckooFilter.builder().growth(Growth.REFUSE).expectedItems(51_200).build();

    assertThat(clustered).allMatch(key -> keyed.add(key) == AddResult.ADDED);
  }

  @Test
  void build_invalidSettings_reportsAllFaultsAtOnce() {
    assertThatExceptionOfType(InvalidSettingsException.class)
        .isThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(SECRET)
                    .growth(Growth.REFUSE)
                    .expectedItems(0)
                    .falsePositiveRate(1)
                    .fingerprintBits(3)
                    .bucketSize(9)
                    .maxEvictions(-1)
                    .maxCopies(19)
                    .maxBytes(0)
                    .build())
        .withMessageContainingAll(
            "expectedItems must be 1 to 4398046511104: 0",
            "falsePositiveRate must be above 0 and below 1: 1.0",
            "fingerprintBits must be 4 to 32, or 0 to derive them from the rate: 3",
            "bucketSize must be 1 to 8: 9",
            "maxEvictions must be 0 to 1048576: -1",
            "maxCopies must be 1 to twice the bucket size, or 0 for the bucket size: 19",
            "maxBytes must be positive: 0");
  }

  @Test
  void build_rateThatNeedsMoreThan32Bits_throwsWithTheComputation() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                CuckooFilter.builder()
                    .secret(SECRET)
                    .growth(Growth.REFUSE)
                    .falsePositiveRate(1e-10)
                    .build())
        .withMessageContaining("needs 37 bits: 2 x 4 x 0.95 / (2^37 - 1) = 5.53e-11")
        .withMessageContaining("the maximum is 32 bits, which give 1.77e-09");
  }

  @Test
  void build_configuredBitsThatMissTheRate_warns() {
    var warnings = new HashSet<String>();

    CuckooFilter filter =
        CuckooFilter.builder()
            .secret(SECRET)
            .growth(Growth.REFUSE)
            .fingerprintBits(12)
            .onWarning(warnings::add)
            .build();

    assertThat(filter.stats().fingerprintBits()).isEqualTo(12);
    assertThat(warnings)
        .containsExactly(
            "12 fingerprint bits give a false positive rate of 0.00186 when full;"
                + " 0.00100 was requested and needs 13");
  }

  /** Adds a hash, and returns it with another one that the filter cannot distinguish from it. */
  private static long[] keysThatLookAlike(CuckooFilter filter) {
    var keys = new SplittableRandom(5);
    long first = keys.nextLong();
    accepted(filter.add(first));
    long second = keys.nextLong();
    while (!filter.mightContain(second)) {
      second = keys.nextLong();
    }
    return new long[] {first, second};
  }
}
