package io.heatshield.limit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.limit.Algorithm;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.Rules;
import io.heatshield.limit.counter.CounterKey;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** No two counters share a name. */
class CounterKeyPropertyTest {
  private static final Limit LIMIT = new Limit(1, LimitUnit.HOUR, Algorithm.GCRA);
  private static final List<Rule> RULES =
      List.of(
          Rule.of("k", "", LIMIT),
          new Rule("k", "fixed", null, Set.of(), Map.of(), List.of(Rule.of("below", "", LIMIT))),
          Rule.of("k", "w*", LIMIT),
          new Rule(
              "k",
              "s*",
              RuleLimit.of(LIMIT),
              Set.of(Rule.Flag.SHARE_THRESHOLD),
              Map.of(),
              List.of(Rule.of("below", "", LIMIT))),
          Rule.of("a", "b_c", LIMIT),
          new Rule(
              "x_y",
              "",
              RuleLimit.of(LIMIT),
              Set.of(),
              Map.of(),
              List.of(Rule.of("below", "", LIMIT), Rule.of("below", "fixed", LIMIT))));

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

  @Property
  void key_ofARule_equalsTheKeyOfItsPath(@ForAll @StringLength(max = 12) String any) {
    holds(any);
  }

  @Example
  void key_ofARuleAndALongValue_equalsTheKeyOfItsPath() {
    for (int length = 140; length < 530; length++) {
      holds("x".repeat(length));
      holds("\u20ac".repeat(length));
    }
  }

  @Example
  void key_joinedByAnUnderscore_differs() {
    assertThat(key(List.of("d", "a_b", "c"))).isNotEqualTo(key(List.of("d", "a", "b_c")));
    assertThat(key(List.of("d_a", "b", "c"))).isNotEqualTo(key(List.of("d", "a_b", "c")));
    assertThat(key(List.of("d", "\ud800", "v"))).isNotEqualTo(key(List.of("d", "?", "v")));
  }

  @Example
  void key_ofUnitsAlgorithmsAndPatterns_differs() {
    List<DescriptorEntry> path = List.of(new DescriptorEntry("k", "a*"));
    var daily = new Limit(1, LimitUnit.DAY, Algorithm.FIXED_WINDOW);
    CounterKey plain = CounterKey.of("d", path, daily);

    assertThat(plain)
        .isNotEqualTo(
            CounterKey.of("d", path, new Limit(1, LimitUnit.MONTH, Algorithm.FIXED_WINDOW)))
        .isNotEqualTo(CounterKey.of("d", path, new Limit(1, LimitUnit.DAY, Algorithm.GCRA)))
        .isNotEqualTo(CounterKey.of("d", path, List.of("a*"), daily))
        .isEqualTo(CounterKey.of("d", path, new Limit(2, LimitUnit.DAY, Algorithm.FIXED_WINDOW)));
  }

  @Example
  void key_written_isTheStoredFormat() {
    CounterKey key =
        CounterKey.of(
            "api",
            List.of(new DescriptorEntry("user", "zoë"), new DescriptorEntry("path", "")),
            new Limit(1, LimitUnit.MINUTE, Algorithm.FIXED_WINDOW));

    assertThat(new String(key.toByteArray(), StandardCharsets.UTF_8))
        .isEqualTo("Mf3:api4:user3:zoë4:path0:");
  }

  @Example
  void key_ofLongText_isShortAndDistinct() {
    CounterKey one = key(List.of("d", "k", "x".repeat(100_000) + "1"));
    CounterKey two = key(List.of("d", "k", "x".repeat(100_000) + "2"));

    assertThat(one).isNotEqualTo(two).isEqualTo(key(List.of("d", "k", "x".repeat(100_000) + "1")));
    assertThat(one.length()).isLessThan(64);
    assertThat(key(List.of("d", "k", "x".repeat(400))).length())
        .isLessThanOrEqualTo(CounterKey.MAX_BYTES);
  }

  /** Asserts of every rule that what it has written beforehand changes nothing. */
  private void holds(String any) {
    RuleSet set = RuleSet.of(Map.of("dömain", RULES));
    DomainRules rules = set.domain("dömain");
    assertThat(rules).isNotNull();
    var policy = new Policy(set, LimiterOptions.DEFAULT, new RuleStats(10));

    for (String path :
        List.of(
            "k=*",
            "k=fixed,below=*",
            "k=w*",
            "k=s*",
            "k=s*,below=*",
            "a=b_c",
            "a_b=c",
            "x=y",
            "x_y=*",
            "x_y=*,below=*",
            "x_y=*,below=fixed")) {
      List<DescriptorEntry> entries =
          Rules.entries(path).stream()
              .map(entry -> new DescriptorEntry(entry.key(), entry.value().replace("*", any)))
              .toList();
      Descriptor descriptor = Descriptor.of(entries.toArray(DescriptorEntry[]::new));
      AppliedRule rule = rules.find(descriptor);
      assertThat(rule).as(path).isNotNull();
      List<String> patterns = rule.patterns();
      CounterKey byRule = policy.key("dömain", descriptor, rule, LIMIT);

      CounterKey byPath = CounterKey.of("dömain", entries, patterns, LIMIT);
      assertThat(byRule).as(path).isEqualTo(byPath).hasSameHashCodeAs(byPath);
      assertThat(byRule.toByteArray()).as(path).isEqualTo(written(entries, patterns));
      assertThat(byRule.length()).as(path).isEqualTo(byRule.toByteArray().length);
    }
  }

  /** Returns the stored format, written as plainly as it can be. */
  private static byte[] written(List<DescriptorEntry> entries, List<String> patterns) {
    var name = new StringBuilder("Hg6:dömain");
    for (int i = 0; i < entries.size(); i++) {
      String pattern = patterns.isEmpty() ? "" : patterns.get(i);
      String last = pattern.isEmpty() ? entries.get(i).value() : pattern;
      name.append(entries.get(i).key().length()).append(':').append(entries.get(i).key());
      name.append(last.length()).append(pattern.isEmpty() ? ':' : '*').append(last);
    }
    var bytes = new ByteArrayOutputStream();
    for (char c : name.toString().toCharArray()) {
      bytes.writeBytes(
          Character.isSurrogate(c)
              ? new byte[] {
                (byte) (0xe0 | (c >> 12)),
                (byte) (0x80 | ((c >> 6) & 0x3f)),
                (byte) (0x80 | (c & 0x3f))
              }
              : String.valueOf(c).getBytes(StandardCharsets.UTF_8));
    }
    return bytes.size() <= CounterKey.MAX_BYTES ? bytes.toByteArray() : digest(bytes);
  }

  private static byte[] digest(ByteArrayOutputStream name) {
    try {
      var digest = new ByteArrayOutputStream();
      digest.writeBytes(("Hg#" + name.size() + ":").getBytes(StandardCharsets.UTF_8));
      digest.writeBytes(MessageDigest.getInstance("SHA-256").digest(name.toByteArray()));
      return digest.toByteArray();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** Takes the first text as the domain and the others as keys and values in turn. */
  private static CounterKey key(List<String> texts) {
    return CounterKey.of(
        texts.get(0), path(texts), new Limit(1, LimitUnit.SECOND, Algorithm.FIXED_WINDOW));
  }

  private static List<DescriptorEntry> path(List<String> texts) {
    var entries = new java.util.ArrayList<DescriptorEntry>();
    for (int i = 1; i < texts.size(); i += 2) {
      entries.add(new DescriptorEntry(texts.get(i), i + 1 < texts.size() ? texts.get(i + 1) : ""));
    }
    return entries;
  }
}
