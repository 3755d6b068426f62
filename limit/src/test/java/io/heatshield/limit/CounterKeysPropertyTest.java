package io.heatshield.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** No two counters share a name. */
class CounterKeysPropertyTest {
  private final CounterKeys keys = new CounterKeys(KeyHash.fast(HashSecret.random()));

  @Property
  void key_ofTwoPaths_isEqualOnlyIfTheyAre(
      @ForAll @Size(min = 2, max = 5)
          List<@CharRange(from = '0', to = ':') @StringLength(max = 3) String> one,
      @ForAll @Size(min = 2, max = 5)
          List<@CharRange(from = '0', to = ':') @StringLength(max = 3) String> two) {
    assertThat(key(one).equals(key(two)))
        .isEqualTo(one.get(0).equals(two.get(0)) && path(one).equals(path(two)));
  }

  @Property
  void key_ofAnyText_keepsEveryChar(
      @ForAll @StringLength(max = 6) String one, @ForAll @StringLength(max = 6) String two) {
    assertThat(key(List.of("d", one, "v")).equals(key(List.of("d", two, "v"))))
        .isEqualTo(one.equals(two));
  }

  @Example
  void key_joinedByAnUnderscore_differs() {
    assertThat(key(List.of("d", "a_b", "c"))).isNotEqualTo(key(List.of("d", "a", "b_c")));
    assertThat(key(List.of("d_a", "b", "c"))).isNotEqualTo(key(List.of("d", "a_b", "c")));
    assertThat(key(List.of("d", "\ud800", "v"))).isNotEqualTo(key(List.of("d", "?", "v")));
  }

  @Example
  void key_ofUnitsAlgorithmsAndPatterns_differs() {
    List<Entry> path = List.of(new Entry("k", "a*"));
    CounterKey plain = keys.key("d", path, LimitUnit.DAY, Algorithm.FIXED_WINDOW);

    assertThat(plain).isNotEqualTo(keys.key("d", path, LimitUnit.MONTH, Algorithm.FIXED_WINDOW));
    assertThat(plain).isNotEqualTo(keys.key("d", path, LimitUnit.DAY, Algorithm.GCRA));
    assertThat(plain)
        .isNotEqualTo(
            keys.key("d", path, new String[] {"a*"}, LimitUnit.DAY, Algorithm.FIXED_WINDOW));
  }

  @Example
  void key_written_isTheStoredFormat() {
    CounterKey key =
        keys.key(
            "api",
            List.of(new Entry("user", "zoë"), new Entry("path", "")),
            LimitUnit.MINUTE,
            Algorithm.FIXED_WINDOW);

    assertThat(new String(key.toByteArray(), StandardCharsets.UTF_8))
        .isEqualTo("Mf3:api4:user3:zoë4:path0:");
  }

  @Example
  void key_ofLongText_isShortAndStillItsOwn() {
    CounterKey one = key(List.of("d", "k", "x".repeat(100_000) + "1"));
    CounterKey two = key(List.of("d", "k", "x".repeat(100_000) + "2"));

    assertThat(one).isNotEqualTo(two).isEqualTo(key(List.of("d", "k", "x".repeat(100_000) + "1")));
    assertThat(one.length()).isLessThan(64);
    assertThat(key(List.of("d", "k", "x".repeat(400))).length())
        .isLessThanOrEqualTo(CounterKeys.MAX_BYTES);
  }

  /** Takes the first text as the domain and the others as keys and values in turn. */
  private CounterKey key(List<String> texts) {
    return keys.key(texts.get(0), path(texts), LimitUnit.SECOND, Algorithm.FIXED_WINDOW);
  }

  private static List<Entry> path(List<String> texts) {
    var entries = new java.util.ArrayList<Entry>();
    for (int i = 1; i < texts.size(); i += 2) {
      entries.add(new Entry(texts.get(i), i + 1 < texts.size() ? texts.get(i + 1) : ""));
    }
    return entries;
  }
}
