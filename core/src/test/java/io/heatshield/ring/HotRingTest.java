package io.heatshield.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.ByteBuffer;
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
    byte[] a = "a".getBytes(UTF_8);
    byte[] b = "b".getBytes(UTF_8);
    ring.touchHashed(7, a);

    long count = ring.touchHashed(7, b);
    ring.touchHashed(7, a);

    assertThat(count).isEqualTo(1);
    assertThat(ring.countHashed(7, a)).isEqualTo(2);
    assertThat(ring.countHashed(7, b)).isEqualTo(1);
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
    ring.touchHashed(ring.hash().hash(bytes), bytes);

    assertThat(ring.count(text)).isEqualTo(5);
    assertThat(ring.count(bytes)).isEqualTo(5);
    assertThat(ring.count(direct)).isEqualTo(5);
    assertThat(direct.position()).isEqualTo(5);
    assertThat(ring.stats().entries()).isEqualTo(1);
  }

  @Test
  void touch_prefixOfAKey_countsAnotherKey() {
    ring.touch("ab");
    ring.touch("abc");
    ring.touch("a");
    ring.touch("é");

    assertThat(ring.stats().entries()).isEqualTo(4);
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
    assertThat(ring.top(1).keys().get(0).scope()).isEqualTo((byte) 200);
    assertThat(ring.stats().entries()).isEqualTo(256);
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
    KeyCount top = ring.top(1).keys().get(0);
    assertThat(top.length()).isEqualTo(517);
    assertThat(top.key()).isEqualTo(Arrays.copyOf(oneEnd.getBytes(UTF_8), 512));
  }

  @Test
  void clamp_limitOfN_admitsNAndLimitsTheOthers() {
    List<String> results = results(ring, 3, 5);

    assertThat(results)
        .containsExactly("1 admitted", "2 admitted", "3 admitted", "3 limited", "3 limited");
    assertThat(ring.count("k")).isEqualTo(3);
    assertThat(ring.stats().clamps()).isEqualTo(2);
    assertThat(ring.stats().touches()).isEqualTo(3);
  }

  @Test
  void clamp_limitsNth_limitsTheNthCall() {
    HotRing limitsNth = HotRing.builder().clampPolicy(ClampPolicy.LIMITS_NTH).build();

    List<String> results = results(limitsNth, 3, 4);

    assertThat(results).containsExactly("1 admitted", "2 admitted", "3 limited", "3 limited");
    assertThat(limitsNth.count("k")).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void clamp_limitOfZeroOrLess_admitsAll(long limit) {
    List<String> results = results(ring, limit, 3);

    assertThat(results).containsExactly("1 admitted", "2 admitted", "3 admitted");
  }

  @Test
  void clamp_keyTouchedOverTheLimit_isLimitedAndKeepsItsCount() {
    for (int i = 0; i < 5; i++) {
      ring.touch("k");
    }

    Clamp clamp = ring.clamp("k".getBytes(UTF_8), 2);

    assertThat(clamp.limited()).isTrue();
    assertThat(clamp.count()).isEqualTo(5);
    assertThat(ring.clamp(ByteBuffer.wrap("k".getBytes(UTF_8)), 6).limited()).isFalse();
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

    assertThat(ring.stats().entries()).isEqualTo(2_000);
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

    RingSnapshot top = ring.top(5);

    assertThat(top.keys())
        .extracting(KeyCount::toString)
        .containsExactly("k0006@0=7", "k0013@0=7", "k0020@0=7", "k0027@0=7", "k0034@0=7");
    assertThat(top.takenNanos()).isEqualTo(ticker.nanos());
    assertThat(ring.top().keys()).hasSize(16);
    assertThat(ring.top(0).keys()).isEmpty();
    assertThat(ring.top(5_000).keys()).hasSize(1_000);
    assertThatThrownBy(() -> ring.top(-1)).hasMessage("n must not be negative: -1");
  }

  @Test
  void keysAbove_threshold_listsKeysAtOrAboveIt() {
    ring.touch("one");
    ring.touch("two");
    ring.touch("two");

    assertThat(ring.keysAbove(2).keys()).extracting(KeyCount::toString).containsExactly("two@0=2");
    assertThat(ring.keysAbove(-5).keys()).hasSize(2);
    assertThat(ring.keysAbove(3).keys()).isEmpty();
  }

  @Test
  void toString_keyWithControlCharacters_isPrintable() {
    ring.scope((byte) 255).touch("a\u001b[2J");

    assertThat(ring.top(1).keys().get(0)).hasToString("a\\x1b[2J@255=1");
  }

  @Test
  void observer_set_receivesTouchesAndClamps() {
    var events = new ArrayList<String>();
    HotRing observed =
        HotRing.builder()
            .observer(
                new RingObserver() {
                  @Override
                  public void touched(KeyCount key) {
                    events.add("touch " + key);
                  }

                  @Override
                  public void clamped(KeyCount key, Clamp answer) {
                    events.add("clamp " + key + " " + answer.limited());
                  }
                })
            .build();

    observed.touch("a");
    observed.clamp("a", 2);
    observed.clamp("a", 2);

    assertThat(events).containsExactly("touch a@0=1", "clamp a@0=2 false", "clamp a@0=2 true");
  }

  @Test
  void stats_newRing_showsAnEmptyTable() {
    RingStats stats = HotRing.builder().bits(1).build().stats();

    assertThat(stats.buckets()).isEqualTo(2);
    assertThat(stats.entries()).isZero();
    assertThat(stats.load()).isZero();
    assertThat(stats.rotations()).isZero();
  }

  @Test
  void touch_manyKeys_growsTheTableAndKeepsProbesShort() {
    HotRing small = HotRing.builder().bits(1).window(0, Duration.ZERO).build();

    for (int i = 0; i < 50_000; i++) {
      small.touch("key-" + i);
    }

    assertThat(small.stats().entries()).isEqualTo(50_000);
    assertThat(small.stats().load()).isLessThanOrEqualTo(0.5);
    assertThat(small.longestProbe()).isLessThan(64);
  }

  @Test
  void touch_keysWithEqualHashCodes_keepsProbesShort() {
    HotRing attacked =
        HotRing.builder().secret(HashSecret.of(new byte[32])).window(0, Duration.ZERO).build();
    List<String> keys = collidingStrings(14);

    keys.subList(0, 10_000).forEach(attacked::touch);

    assertThat(keys.stream().mapToInt(String::hashCode).distinct().count()).isEqualTo(1);
    assertThat(attacked.stats().entries()).isEqualTo(10_000);
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
      Clamp clamp = ring.clamp("k", limit);
      results.add(clamp.count() + (clamp.limited() ? " limited" : " admitted"));
    }
    return results;
  }

  private static byte[] padded(byte[] bytes) {
    byte[] padded = new byte[bytes.length + 6];
    System.arraycopy(bytes, 0, padded, 3, bytes.length);
    return padded;
  }
}
