package io.heatshield.filter;

import static io.heatshield.filter.Results.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Keys in all forms, hashes of keys, and the order of filter and owner. */
class CuckooFilterKeysTest {

  @Test
  void add_consecutiveNumbers_addsAllAndKeepsTheRate() {
    CuckooFilter filter = CuckooFilter.builder().expectedItems(100_000).build();

    for (long userId = 0; userId < 100_000; userId++) {
      accepted(filter.add(userId));
    }

    int positives = 0;
    for (int userId = 100_000; userId < 200_000; userId++) {
      positives += filter.mightContain(userId) ? 1 : 0;
    }
    for (long userId = 0; userId < 100_000; userId++) {
      assertThat(filter.mightContain(userId)).isTrue();
    }
    assertThat(filter.size()).isEqualTo(100_000);
    assertThat(positives).as("at a rate of 0.001, 5 sigma above").isLessThan(150);
  }

  @Test
  void add_aKeyInEveryForm_isTheSameKey() {
    CuckooFilter filter = CuckooFilter.builder().build();
    byte[] bytes = "42".getBytes(StandardCharsets.UTF_8);

    accepted(filter.add(42));
    accepted(filter.add("42"));
    accepted(filter.add(bytes));
    accepted(filter.add(ByteBuffer.wrap(bytes)));

    assertThat(filter.count(42)).isEqualTo(4);
    assertThat(filter.count("42")).isEqualTo(4);
    assertThat(filter.count(bytes)).isEqualTo(4);
    assertThat(filter.count(ByteBuffer.wrap(bytes))).isEqualTo(4);
    assertThat(filter.mightContain(42)).isTrue();
    assertThat(filter.mightContain("42")).isTrue();
    assertThat(filter.mightContain(bytes)).isTrue();
    assertThat(filter.mightContain(ByteBuffer.wrap(bytes))).isTrue();
    assertThat(filter.mightContain(43)).isFalse();
  }

  @Test
  void addAndRemove_byOwnerInEveryForm_keepsOneCopy() {
    CuckooFilter filter = CuckooFilter.builder().build();
    byte[] bytes = "42".getBytes(StandardCharsets.UTF_8);

    AddResult first = filter.add(42, () -> false);
    List<AddResult> again =
        List.of(
            filter.add("42", () -> true),
            filter.add(bytes, () -> true),
            filter.add(ByteBuffer.wrap(bytes), () -> true));
    List<RemoveResult> refused =
        List.of(
            filter.remove("42", () -> false),
            filter.remove(bytes, () -> false),
            filter.remove(ByteBuffer.wrap(bytes), () -> false));
    RemoveResult removed = filter.remove(42, () -> true);

    assertThat(first).isEqualTo(AddResult.ADDED);
    assertThat(again).containsOnly(AddResult.PRESENT);
    assertThat(refused).containsOnly(RemoveResult.NOT_OWNED);
    assertThat(removed).isEqualTo(RemoveResult.REMOVED);
    assertThat(filter.size()).isZero();
  }

  @Test
  void remove_whileTheOwnerRemovesTheKey_stillFindsIt() {
    CuckooFilter filter = CuckooFilter.builder().build();
    Map<String, Integer> map = new ConcurrentHashMap<>(Map.of("k", 1));
    accepted(filter.add("k", () -> false));
    var foundMeanwhile = new ArrayList<Boolean>();

    RemoveResult result =
        filter.remove(
            "k",
            () -> {
              foundMeanwhile.add(filter.mightContain("k"));
              boolean removed = map.remove("k") != null;
              foundMeanwhile.add(filter.mightContain("k"));
              return removed;
            });

    assertThat(foundMeanwhile).containsExactly(true, true);
    assertThat(result).isEqualTo(RemoveResult.REMOVED);
    assertThat(filter.mightContain("k")).isFalse();
  }

  @Test
  void remove_keyThatTheFilterRefused_isRemovedFromItsOwner() {
    CuckooFilter filter = CuckooFilter.builder().build();
    Map<String, Integer> map = new ConcurrentHashMap<>(Map.of("k", 1));

    RemoveResult result = filter.remove("k", () -> map.remove("k") != null);

    assertThat(result).isEqualTo(RemoveResult.ABSENT);
    assertThat(map).isEmpty();
  }

  @Test
  void remove_ownerThrows_keepsTheKey() {
    CuckooFilter filter = CuckooFilter.builder().build();
    accepted(filter.add("k"));

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                filter.remove(
                    "k",
                    () -> {
                      throw new IllegalStateException("store is gone");
                    }));

    assertThat(filter.mightContain("k")).isTrue();
  }

  @Test
  void add_tenTimesTheExpectedKeysByDefault_grows() {
    CuckooFilter filter = CuckooFilter.builder().expectedItems(1_000).build();

    for (int i = 0; i < 10_000; i++) {
      accepted(filter.add(i));
    }

    assertThat(filter.stats().subFilters()).isGreaterThan(1);
    assertThat(filter.stats().refused()).isZero();
    for (int i = 0; i < 10_000; i++) {
      assertThat(filter.mightContain(i)).isTrue();
    }
    assertThat(filter.expectedFalsePositiveRate()).isLessThan(0.001);
  }

  @Test
  void hashed_sameFunction_isTheSameKey() {
    HashSecret secret = HashSecret.random();
    CuckooFilter filter = CuckooFilter.builder().secret(secret).build();
    KeyHash hash = KeyHash.fast(secret);

    HashedCuckooFilter view = filter.hashed(hash);
    accepted(view.add(hash.hash("a"), () -> false));
    accepted(filter.add("b"));

    assertThat(filter.mightContain("a")).isTrue();
    assertThat(view.mightContain(hash.hash("b"))).isTrue();
    assertThat(view.count(filter.keyHash().hash("a"))).isEqualTo(1);
    assertThat(view.remove(hash.hash("b"), () -> true)).isEqualTo(RemoveResult.REMOVED);
    assertThat(filter.mightContain("b")).isFalse();
    assertThat(filter.hashed(hash)).isSameAs(view);
    assertThat(view.filter()).isSameAs(filter);
  }

  @Test
  void hashed_otherSecretOrFunction_throws() {
    HashSecret secret = HashSecret.random();
    CuckooFilter filter = CuckooFilter.builder().secret(secret).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.hashed(KeyHash.fast(HashSecret.random())))
        .withMessage("hash must be of the same function and secret");
    assertThatIllegalArgumentException().isThrownBy(() -> filter.hashed(KeyHash.second(secret)));
  }
}
