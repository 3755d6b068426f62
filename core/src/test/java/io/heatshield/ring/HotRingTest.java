package io.heatshield.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Admission;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotRingTest {
  private final FakeTicker ticker = new FakeTicker();
  private final HotRing ring = HotRing.builder().ticker(ticker::nanos).build();

  @Test
  void touch_sameKeyTwice_returnsTwo() {
    long first = ring.touch("a");
    long second = ring.touch("a");

    assertThat(first).isEqualTo(1);
    assertThat(second).isEqualTo(2);
    assertThat(ring.count("a")).isEqualTo(2);
    assertThat(ring.count("b")).isZero();
  }

  @Test
  void touch_keysWithEqualHash_countsThemSeparately() {
    HashedHotRing hashed = ring.hashed(ring.keyHash());
    byte[] a = "a".getBytes(UTF_8);
    byte[] b = "b".getBytes(UTF_8);
    hashed.touch(7, a);

    long count = hashed.touch(7, b);
    hashed.touch(7, a);

    assertThat(count).isEqualTo(1);
    assertThat(hashed.count(7, a)).isEqualTo(2);
    assertThat(hashed.count(7, b)).isEqualTo(1);
  }

  @Test
  void hashed_limitedCalls_areThoseOfTheRing() {
    HashedHotRing hashed = ring.hashed(ring.keyHash());
    byte[] key = "k".getBytes(UTF_8);
    long hash = ring.keyHash().hash(key);

    assertThat(hashed.tryTouch(hash, key, 2)).isTrue();
    assertThat(ring.tryTouch("k", 2).admitted()).isTrue();

    assertThat(hashed.tryTouch(hash, key, 2)).isFalse();
    assertThat(hashed.retryAfter(hash, key, 2)).isEqualTo(ring.tryTouch("k", 2).retryAfter());
    assertThat(hashed.retryAfter(hash, key, 0)).isEqualTo(Admission.NEVER);
    assertThat(hashed.prefetch(new long[] {hash, hash + 1}, 2)).isEqualTo(1);
  }

  @Test
  void hashed_byAnotherSecretOrFunction_throws() {
    HashSecret secret = HashSecret.of(new byte[16]);
    HotRing own = HotRing.builder().secret(secret).build();

    assertThat(own.hashed(KeyHash.fast(secret))).isNotNull();
    assertThatThrownBy(() -> ring.hashed(KeyHash.fast(secret)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hash must be of the same function and secret");
    assertThatThrownBy(() -> own.hashed(KeyHash.sip13(secret)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7, -1, 42_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE})
  void touch_aNumber_isTheKeyOfItsDigits(long number) {
    ring.touch(number);
    ring.touch(number);
    ring.touch(Long.toString(number));
    Admission admission = ring.tryTouch(number, 4);

    assertThat(admission).hasToString("4 of 4, admitted");
    assertThat(ring.tryTouch(number, 4).admitted()).isFalse();
    assertThat(ring.count(number)).isEqualTo(4);
    assertThat(ring.top(1).get(0).key()).isEqualTo(Long.toString(number).getBytes(UTF_8));
    assertThat(ring.remove(number)).isEqualTo(4);
    assertThat(ring.tryTouch(number, 4)).hasToString("1 of 4, admitted");
  }

  @Test
  void touch_anyText_isTheKeyOfItsCharacters() {
    ring.touch(CharBuffer.wrap("order:7"));

    assertThat(ring.tryTouch(CharBuffer.wrap("order:7"), 3)).hasToString("2 of 3, admitted");
    assertThat(ring.count("order:7")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "user:0000000000000042", "ключ", "鍵🔑", "\ud800x", "q\udfff"})
  void touch_sameTextInEveryForm_countsOneKey(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    ByteBuffer heap = ByteBuffer.wrap(padded(bytes), 3, bytes.length).slice();
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 8).put(5, bytes);
    direct.position(5).limit(5 + bytes.length);

    ring.touch(text);
    ring.touch(bytes);
    ring.touch(heap);
    ring.touch(direct);
    ring.hashed(ring.keyHash()).touch(ring.keyHash().hash(bytes), bytes);

    assertThat(ring.count(text)).isEqualTo(5);
    assertThat(ring.count(bytes)).isEqualTo(5);
    assertThat(ring.count(direct)).isEqualTo(5);
    assertThat(direct.position()).isEqualTo(5);
    assertThat(ring.stats().size()).isEqualTo(1);
  }

  @Test
  void touch_prefixOfAKey_countsAnotherKey() {
    ring.touch("ab");
    ring.touch("abc");
    ring.touch("a");
    ring.touch("é");

    assertThat(ring.stats().size()).isEqualTo(4);
    assertThat(ring.count("ab")).isEqualTo(1);
  }

  @Test
  void touch_arrayChangedLater_keepsTheKey() {
    byte[] key = {1, 2, 3};
    ring.touch(key);

    key[0] = 9;

    assertThat(ring.count(new byte[] {1, 2, 3})).isEqualTo(1);
    assertThat(ring.count(key)).isZero();
  }

  @Test
  void scope_sameKeyInAllScopes_sharesNoCount() {
    for (int scope = 0; scope < 256; scope++) {
      ring.scope((byte) scope).touch("k");
    }
    ring.scope((byte) 200).touch("k");

    assertThat(ring.scope((byte) 200).count("k")).isEqualTo(2);
    assertThat(ring.count("k")).isEqualTo(1);
    assertThat(ring.top(1).get(0).scope()).isEqualTo((byte) 200);
    assertThat(ring.stats().size()).isEqualTo(256);
  }

  @Test
  void touch_longKeys_countsThemSeparatelyAndKeepsAPrefix() {
    String stem = "é".repeat(255) + "x";
    String oneEnd = stem + "tail-1";
    String otherEnd = stem + "tail-2";
    String longer = stem + "tail-11";

    ring.touch(oneEnd);
    ring.touch(oneEnd.getBytes(UTF_8));
    ring.touch(ByteBuffer.wrap(oneEnd.getBytes(UTF_8)));
    ring.touch(otherEnd);
    ring.touch(longer);

    assertThat(ring.count(oneEnd)).isEqualTo(3);
    assertThat(ring.count(otherEnd)).isEqualTo(1);
    KeyCount top = ring.top(1).get(0);
    assertThat(top.length()).isEqualTo(517);
    assertThat(top.key()).isEqualTo(Arrays.copyOf(oneEnd.getBytes(UTF_8), 512));
  }

  @Test
  void tryTouch_limitOfN_admitsNAndLimitsTheOthers() {
    List<String> results = results(ring, 3, 5);

    assertThat(results)
        .containsExactly("1 admitted", "2 admitted", "3 admitted", "3 refused", "3 refused");
    assertThat(ring.count("k")).isEqualTo(3);
    assertThat(ring.stats().refused()).isEqualTo(2);
    assertThat(ring.stats().touches()).isEqualTo(3);
  }

  @Test
  void tryTouch_limitsNth_limitsTheNthCall() {
    HotRing limitsNth = HotRing.builder().clampPolicy(ClampPolicy.LIMITS_NTH).build();

    List<String> results = results(limitsNth, 3, 4);

    assertThat(results).containsExactly("1 admitted", "2 admitted", "3 refused", "3 refused");
    assertThat(limitsNth.count("k")).isEqualTo(3);
  }

  @Test
  void tryTouch_limitOfZero_refusesEveryCall() {
    ring.touch("held");

    List<String> results = results(ring, 0, 2);

    assertThat(results).containsExactly("0 refused", "0 refused");
    assertThat(ring.tryTouch("held", 0).retryAfter()).isEqualTo(Admission.NEVER);
    assertThat(ring.tryTouch("k", 0).tracked()).isFalse();
    assertThat(ring.tryTouch("k", 0).retryAfter()).isEqualTo(Admission.NEVER);
    assertThat(ring.stats().size()).isEqualTo(1);
    assertThat(ring.stats().refused()).isEqualTo(5);
    assertThat(ring.stats().drops()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void tryTouch_negativeLimit_throws(long limit) {
    assertThatThrownBy(() -> ring.tryTouch("k", limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit must not be negative: " + limit);
    assertThatThrownBy(() -> ring.tryTouch(7, limit)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tryTouch_keyTouchedOverTheLimit_isLimitedAndKeepsItsCount() {
    for (int i = 0; i < 5; i++) {
      ring.touch("k");
    }

    Admission admission = ring.tryTouch("k".getBytes(UTF_8), 2);

    assertThat(admission.admitted()).isFalse();
    assertThat(ring.count("k")).isEqualTo(5);
    assertThat(ring.tryTouch(ByteBuffer.wrap("k".getBytes(UTF_8)), 6).admitted()).isTrue();
  }

  @Test
  void remove_countedKey_returnsItsCountAndRemovesIt() {
    ring.touch("a");
    ring.touch("a");

    long removed = ring.remove("a");

    assertThat(removed).isEqualTo(2);
    assertThat(ring.count("a")).isZero();
    assertThat(ring.remove("a".getBytes(UTF_8))).isZero();
    assertThat(ring.remove(ByteBuffer.allocate(0))).isZero();
    assertThat(ring.touch("a")).isEqualTo(1);
    assertThat(ring.stats().removes()).isEqualTo(1);
    assertThat(ring.stats().touches()).isEqualTo(3);
  }

  @Test
  void remove_andTouchAgain_keepsAllOtherKeys() {
    for (int i = 0; i < 2_000; i++) {
      ring.touch("k" + i);
    }

    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 2_000; i += 2) {
        assertThat(ring.remove("k" + i)).isEqualTo(1);
        assertThat(ring.touch("k" + i)).isEqualTo(1);
      }
    }

    assertThat(ring.stats().size()).isEqualTo(2_000);
    for (int i = 0; i < 2_000; i++) {
      assertThat(ring.count("k" + i)).isEqualTo(1);
    }
  }

  @Test
  void top_manyKeys_isOrderedByCountThenKey() {
    for (int i = 0; i < 1_000; i++) {
      for (int n = 0; n <= i % 7; n++) {
        ring.touch(String.format(Locale.ROOT, "k%04d", i));
      }
    }

    List<KeyCount> top = ring.top(5);

    assertThat(top)
        .extracting(KeyCount::toString)
        .containsExactly("k0006@0=7", "k0013@0=7", "k0020@0=7", "k0027@0=7", "k0034@0=7");
    assertThat(ring.top(0)).isEmpty();
    assertThat(ring.top(5_000)).hasSize(1_000);
    assertThatThrownBy(() -> ring.top(-1)).hasMessage("n must not be negative: -1");
  }

  @Test
  void keysAbove_threshold_listsKeysAtOrAboveIt() {
    ring.touch("one");
    ring.touch("two");
    ring.touch("two");

    assertThat(ring.keysAbove(2)).extracting(KeyCount::toString).containsExactly("two@0=2");
    assertThat(ring.keysAbove(-5)).hasSize(2);
    assertThat(ring.keysAbove(3)).isEmpty();
  }

  @Test
  void toString_keyWithControlCharacters_isPrintable() {
    ring.scope((byte) 255).touch("a\u001b[2J");

    assertThat(ring.top(1).get(0)).hasToString("a\\x1b[2J@255=1");
  }

  @Test
  void listener_set_receivesTouchesAndLimitedCalls() {
    var events = new ArrayList<String>();
    HotRing observed =
        HotRing.builder()
            .listener(
                new RingListener() {
                  @Override
                  public void touched(KeyCount key) {
                    events.add("touch " + key);
                  }

                  @Override
                  public void tried(KeyCount key, Admission admission) {
                    events.add("try " + key + " " + admission.admitted());
                  }
                })
            .build();

    observed.touch("a");
    observed.touch("a");
    var unused = observed.tryTouch("a", 3);
    var unusedToo = observed.tryTouch("a", 3);

    assertThat(events)
        .containsExactly("touch a@0=1", "touch a@0=2", "try a@0=3 true", "try a@0=3 false");
  }

  @Test
  void listener_throws_neverReachesTheCallerAndIsCounted() {
    HotRing observed =
        HotRing.builder()
            .listener(
                new RingListener() {
                  @Override
                  public void touched(KeyCount key) {
                    throw new IllegalStateException("listener");
                  }

                  @Override
                  public void tried(KeyCount key, Admission admission) {
                    throw new IllegalStateException("listener");
                  }
                })
            .build();

    assertThat(observed.touch("a")).isEqualTo(1);
    assertThat(observed.touch("a")).isEqualTo(2);
    assertThat(observed.tryTouch("a", 3).admitted()).isTrue();
    assertThat(observed.tryTouch("a", 3).admitted()).isFalse();
    assertThat(observed.stats().listenerFaults()).isEqualTo(4);
  }

  @Test
  void stats_newRing_showsAnEmptyTable() {
    RingStats stats = HotRing.builder().bits(1).build().stats();

    assertThat(stats.cells()).isEqualTo(2);
    assertThat(stats.size()).isZero();
    assertThat(stats.rotations()).isZero();
  }

  @Test
  void touch_manyKeys_growsTheTableAndKeepsProbesShort() {
    HotRing small = HotRing.builder().bits(1).window(0, Duration.ZERO).build();

    for (int i = 0; i < 50_000; i++) {
      small.touch("key-" + i);
    }

    assertThat(small.stats().size()).isEqualTo(50_000);
    assertThat(small.stats().cells()).isGreaterThanOrEqualTo(100_000);
    assertThat(small.longestProbe()).isLessThan(64);
  }

  @Test
  void touch_keysWithEqualHashCodes_keepsProbesShort() {
    HotRing attacked =
        HotRing.builder().secret(HashSecret.of(new byte[32])).window(0, Duration.ZERO).build();
    List<String> keys = collidingStrings(14);

    keys.subList(0, 10_000).forEach(attacked::touch);

    assertThat(keys.stream().mapToInt(String::hashCode).distinct().count()).isEqualTo(1);
    assertThat(attacked.stats().size()).isEqualTo(10_000);
    assertThat(attacked.longestProbe()).isLessThan(64);
  }

  /** Returns 2^n strings with equal hash codes: those of "Aa" and "BB" are equal. */
  private static List<String> collidingStrings(int n) {
    List<String> keys = List.of("");
    for (int i = 0; i < n; i++) {
      var next = new ArrayList<String>();
      for (String key : keys) {
        next.add(key + "Aa");
        next.add(key + "BB");
      }
      keys = next;
    }
    return keys;
  }

  private static List<String> results(HotRing ring, long limit, int calls) {
    var results = new ArrayList<String>();
    for (int i = 0; i < calls; i++) {
      boolean admitted = ring.tryTouch("k", limit).admitted();
      results.add(ring.count("k") + (admitted ? " admitted" : " refused"));
    }
    return results;
  }

  private static byte[] padded(byte[] bytes) {
    byte[] padded = new byte[bytes.length + 6];
    System.arraycopy(bytes, 0, padded, 3, bytes.length);
    return padded;
  }
}
