package io.heatshield.rls.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.contest.KeyScore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTablesTest {
  private static final long SECOND = 1_000_000_000;
  private static final String FIVE_AT_ONCE = "{ rate_above: 1/h, burst: 5 }";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 30, 75, 100, 333})
  void touch_atExactlyTheAllowedRate_isNeverRejected(long rate) {
    try (var fixture = enforcing("{ rate_above: " + rate + " }")) {
      for (long i = 0; i < 30 * rate; i++) {
        assertThat(fixture.touch("evenly")).isTrue();
        fixture.ticker.advanceNanos(((i + 1) * SECOND / rate) - (i * SECOND / rate));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "7, 1", "30, 1", "75, 2", "100, 2", "333, 6"})
  void touch_atTheAllowedRateWithJitter_isNeverRejected(long rate, long burst) {
    try (var fixture = enforcing("{ rate_above: " + rate + ", burst: " + burst + " }")) {
      long at = 0;
      for (long i = 0; i < 30 * rate; i++) {
        long due = (i * SECOND / rate) + ((i % 2 == 0 ? 3 : 17) * 1_000_000L);
        fixture.ticker.advanceNanos(Math.max(0, due - at));
        at = Math.max(at, due);
        assertThat(fixture.touch("with jitter")).isTrue();
      }
    }
  }

  @Test
  void touch_aboveTheRate_isRejectedForExactlyTheBlockTime() {
    try (var fixture = enforcing(FIVE_AT_ONCE)) {
      assertThat(fixture.passed("client", 20)).isEqualTo(5);
      assertThat(fixture.touch("another")).isTrue();

      fixture.ticker.advance(Duration.ofMinutes(5).minusNanos(1));
      assertThat(fixture.touch("client")).isFalse();

      // A bucket of one touch per hour has not filled up: the next one exceeds it again.
      fixture.ticker.advanceNanos(1);
      assertThat(fixture.touch("client")).isFalse();
      fixture.ticker.advance(Duration.ofHours(5));
      assertThat(fixture.passed("client", 20)).isEqualTo(5);
    }
  }

  @Test
  void unblock_ofAClientAboveItsRate_resetsItsRate() throws IOException {
    try (var fixture = enforcing(FIVE_AT_ONCE)) {
      assertThat(fixture.passed("client", 20)).isEqualTo(5);

      assertThat(fixture.tables.unblock("t", "client".getBytes(UTF_8))).isTrue();

      assertThat(fixture.passed("client", 20)).isEqualTo(5);
      assertThat(fixture.tables.unblock("t", "another".getBytes(UTF_8))).isFalse();
      assertThat(fixture.tables.unblock("none", "client".getBytes(UTF_8))).isFalse();
    }
  }

  @Test
  void unblock_ofAScanner_clearsItsTargets() throws IOException {
    String rule = "{ name: scan, when: { cardinality_above: 20 }, block_for: 5m, mode: enforce }";
    try (var fixture = tables("cardinality: { of: path, leak: 0/s }, rules: [" + rule + "]")) {
      int first = scannedUntilBlocked(fixture);

      assertThat(fixture.tables.unblock("t", "scanner".getBytes(UTF_8))).isTrue();

      assertThat(scannedUntilBlocked(fixture)).isEqualTo(first).isGreaterThan(15);
    }
  }

  private static int scannedUntilBlocked(TablesFixture fixture) {
    int targets = 0;
    while (targets < 1_000 && fixture.touch("scanner", "/" + targets)) {
      targets++;
    }
    return targets;
  }

  @Test
  void touch_whileBlocked_chargesNothingAnywhere() {
    try (var fixture = enforcing("{ rate_above: 1, burst: 5 }")) {
      assertThat(fixture.passed("client", 6)).isEqualTo(5);
      long touches = fixture.tables.all().get(0).clients().stats().keys().touches();
      double rate = fixture.tables.all().get(0).clients().top(1).get(0).rate();

      assertThat(fixture.passed("client", 1_000)).isZero();

      assertThat(fixture.tables.all().get(0).clients().stats().keys().touches()).isEqualTo(touches);
      assertThat(fixture.tables.all().get(0).clients().top(1).get(0).rate()).isEqualTo(rate);
      assertThat(fixture.did("r").applied()).isEqualTo(1_001);
      fixture.ticker.advance(Duration.ofMinutes(5));
      assertThat(fixture.passed("client", 6)).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void touch_withRulesInEitherOrder_exceedsEachAtItsOwnRate(boolean slowFirst) {
    String slow = "{ name: slow, when: { rate_above: 5 }, action: [block], mode: observe }";
    String quick = "{ name: quick, when: { rate_above: 50 }, action: [block], mode: enforce }";
    String rules = slowFirst ? slow + "," + quick : quick + "," + slow;
    try (var fixture = tables("rules: [" + rules + "]")) {
      int first = -1;

      for (int i = 0; i < 3_000 && first < 0; i++) {
        first = fixture.touch("client") ? -1 : i;
        fixture.ticker.advanceNanos(SECOND / 100);
      }

      // 50 at once and 50 per second against 100 per second: the 100th or so is the first too many.
      assertThat(first).isBetween(98, 106);
      assertThat(fixture.did("slow").wouldHaveApplied()).isBetween(90L, 100L);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void touch_withARuleThatOnlyLogs_isBlockedByTheOtherInEitherOrder(boolean logFirst) {
    String logs = "{ name: notes, when: { rate_above: 1 }, action: [log], mode: enforce }";
    String blocks = "{ name: stops, when: { rate_above: 1, burst: 9 }, mode: enforce }";
    String rules = logFirst ? logs + "," + blocks : blocks + "," + logs;
    try (var fixture = tables("rules: [" + rules + "]")) {
      assertThat(fixture.passed("client", 20)).isEqualTo(9);
      assertThat(fixture.did("notes").applied()).isEqualTo(1);
      assertThat(fixture.did("stops").applied()).isEqualTo(11);
    }
  }

  @Test
  void touch_exceedingTwoRulesAtOnce_isBlockedByTheFirst() {
    String first = "{ name: first, when: { rate_above: 1, burst: 5 }, mode: enforce }";
    String second = "{ name: second, when: { rate_above: 1, burst: 5 }, mode: enforce }";
    try (var fixture = tables("rules: [" + first + "," + second + "]")) {
      assertThat(fixture.passed("client", 20)).isEqualTo(5);
      assertThat(fixture.did("first").applied()).isEqualTo(15);
      assertThat(fixture.did("second").applied()).isZero();
    }
  }

  @Test
  void touch_withBothConditions_needsBoth() {
    String when = "{ rate_above: 1/h, burst: 40, cardinality_above: 20 }";
    try (var fixture = tables("cardinality: {}, rules: [" + rule(when, "enforce") + "]")) {
      assertThat(fixture.passed("often the same", 500)).isEqualTo(500);
      for (int i = 0; i < 30; i++) {
        assertThat(fixture.touch("seldom but different", "/" + i)).isTrue();
      }

      List<Boolean> both =
          IntStream.range(0, 80).mapToObj(i -> fixture.touch("scanner", "/" + i)).toList();

      assertThat(both.subList(0, 40)).doesNotContain(false);
      assertThat(both.subList(41, 80)).doesNotContain(true);
    }
  }

  @Test
  void touch_ofManyTargets_isBlockedByItsCardinality() {
    String rule = rule("{ cardinality_above: 100 }", "enforce");
    try (var fixture = tables("cardinality: { leak: 0/s }, rules: [" + rule + "]")) {
      int first = -1;

      for (int i = 0; i < 300; i++) {
        assertThat(fixture.touch("reader", "/" + (i % 20))).isTrue();
        first = first < 0 && !fixture.touch("scanner", "/" + i) ? i : first;
      }

      // Four standard errors of a bitmap of 256 bits at 100 values.
      assertThat(first).isBetween(82, 118);
    }
  }

  @Test
  void touch_underAFloodOfTenTimesTheSlots_staysBlockedForItsFullTime() {
    String more = "slots: 100, max_blocks: 50, rules: [" + rule(FIVE_AT_ONCE, "enforce") + "]";
    try (var fixture = tables(more)) {
      assertThat(fixture.passed("attacker", 6)).isEqualTo(5);

      for (int i = 0; i < 1_000; i++) {
        assertThat(fixture.touch("junk:" + i)).isTrue();
        assertThat(fixture.touch("attacker")).isFalse();
      }

      fixture.ticker.advance(Duration.ofMinutes(5).minusNanos(1));
      assertThat(fixture.touch("attacker")).isFalse();
      assertThat(fixture.tables.all().get(0).clients().stats().keys().size()).isEqualTo(100);
    }
  }

  @Test
  void touch_whenTheMaximumOfBlocksIsReached_passesAndIsReported() {
    String more = "max_blocks: 3, rules: [" + rule(FIVE_AT_ONCE, "enforce") + "]";
    try (var fixture = tables(more)) {
      for (int i = 0; i < 30; i++) {
        assertThat(fixture.passed("client:" + i, 6)).isEqualTo(i < 3 ? 5 : 6);
      }

      assertThat(fixture.did("r").applied()).isEqualTo(3);
      assertThat(fixture.metrics.scrape())
          .contains("heatshield_table_blocks_refused_total{table=\"t\"} 27.0")
          .contains("heatshield_table_blocks{table=\"t\"} 3.0")
          .contains("heatshield_table_blocked_total{table=\"t\"} 3.0");
    }
  }

  @Test
  void observe_onAStream_leavesStateAndAnswersAsOffAndCountsWhatEnforceDoes() {
    Run off = run("off");
    Run observe = run("observe");
    Run enforce = run("enforce");

    assertThat(observe.passed).isEqualTo(off.passed);
    assertThat(observe.standings).isEqualTo(off.standings);
    assertThat(observe.would).isEqualTo(enforce.did).isPositive();
    assertThat(off.passed - enforce.passed).isEqualTo(enforce.did);
  }

  @Test
  void touch_ofATrustedAddress_isNeverActedOn() {
    String trusted = "trusted: [10.0.0.0/8, '2001:db8::/32'], ";
    try (var fixture = tables(trusted + "rules: [" + rule(FIVE_AT_ONCE, "enforce") + "]")) {
      assertThat(fixture.passed("10.1.2.3", 100)).isEqualTo(100);
      assertThat(fixture.passed("2001:db8::7", 100)).isEqualTo(100);
      assertThat(fixture.passed("::ffff:10.1.2.3", 100)).isEqualTo(100);
      assertThat(fixture.passed("11.1.2.3", 100)).isEqualTo(5);
      assertThat(fixture.passed("10.1.2.3.", 100)).isEqualTo(5);
      assertThat(fixture.passed("127.0.0.1", 100)).isEqualTo(5);
      assertThat(fixture.tables.all().get(0).clients().find("10.1.2.3")).isPresent();
    }
  }

  @Test
  void touch_aboveARateOfZero_isEveryTouch() {
    try (var fixture = enforcing("{ rate_above: 0 }")) {
      assertThat(fixture.touch("client")).isFalse();
      assertThat(fixture.touch("another")).isFalse();
    }
  }

  @Test
  void touch_ofAKeyOver512Bytes_isBlockedByTheWholeKey() {
    try (var fixture = enforcing(FIVE_AT_ONCE)) {
      String same = "x".repeat(5_000);

      assertThat(fixture.passed(same + "1", 10)).isEqualTo(5);

      assertThat(fixture.touch(same + "1")).isFalse();
      assertThat(fixture.touch(same + "2")).isTrue();
    }
  }

  @Test
  void open_ofATable_isAScopeUntilThereAreTooMany() {
    String detect = "detect: { max_scopes: 1 }\n";
    String yaml = detect + "tables: [{ name: a }, { name: b, key: x }]";
    try (var fixture = new TablesFixture(folder, yaml)) {
      assertThat(fixture.touch("client")).isTrue();

      assertThat(fixture.scopes.all()).containsOnlyKeys("table:a");
      assertThat(
              fixture
                  .scopes
                  .find("table:a")
                  .orElseThrow()
                  .estimate("client".getBytes(UTF_8))
                  .touches())
          .isEqualTo(1);
      assertThat(fixture.tables.find("b")).isPresent();
    }
  }

  @Test
  void scrape_ofATable_hasAllItsMeters() {
    try (var fixture = tables("slots: 2, rules: [" + rule(FIVE_AT_ONCE, "enforce") + "]")) {
      for (int i = 0; i < 3; i++) {
        assertThat(fixture.touch("client:" + i)).isTrue();
      }

      assertThat(fixture.metrics.scrape())
          .contains("heatshield_table_size{table=\"t\"} 2.0")
          .contains("heatshield_table_capacity{table=\"t\"} 2.0")
          .contains("heatshield_table_used{table=\"t\"} 1.0")
          .contains("heatshield_table_touches_total{table=\"t\"} 3.0")
          .contains("heatshield_table_untracked_total{table=\"t\"} 1.0")
          .contains("heatshield_table_contests_total{table=\"t\"} 1.0")
          .contains("heatshield_table_won_total{table=\"t\"} 0.0")
          .contains("heatshield_table_evictions_total{table=\"t\"} 0.0")
          .contains("heatshield_table_expired_total{table=\"t\"} 0.0")
          .contains("heatshield_table_replaced_total{table=\"t\"} 0.0")
          .contains("heatshield_table_rejected_total{table=\"t\"} 1.0")
          .contains("heatshield_table_rule_applied_total{rule=\"r\",table=\"t\"} 0.0");
    }
  }

  private record Run(long passed, List<String> standings, long did, long would) {}

  private Run run(String mode) {
    String rule = rule("{ rate_above: 20, burst: 30 }", mode).replace("5m", "2s");
    try (var fixture = tables("rules: [" + rule + "]")) {
      long passed = stream(fixture);
      return new Run(
          passed,
          fixture.tables.all().get(0).clients().top(20).stream().map(KeyScore::toString).toList(),
          fixture.did("r").applied(),
          fixture.did("r").wouldHaveApplied());
    }
  }

  /** Touches ten clients at rates from 3 to 30 per second for 20 s, and returns what passed. */
  private static long stream(TablesFixture fixture) {
    long passed = 0;
    for (int milli = 0; milli < 20_000; milli++) {
      for (int client = 1; client <= 10; client++) {
        if (milli * 3 * client / 1_000 != (milli + 1) * 3 * client / 1_000) {
          passed += fixture.touch("client:" + client) ? 1 : 0;
        }
      }
      fixture.ticker.advanceNanos(1_000_000);
    }
    return passed;
  }

  private TablesFixture enforcing(String when) {
    return tables("rules: [" + rule(when, "enforce") + "]");
  }

  private TablesFixture tables(String more) {
    String trusted = more.startsWith("trusted") ? "" : "trusted: [], ";
    return new TablesFixture(folder, "tables: [{ name: t, " + trusted + more + " }]");
  }

  private static String rule(String when, String mode) {
    return "{ name: r, when: "
        + when
        + ", action: [log, block], block_for: 5m, mode: "
        + mode
        + " }";
  }
}
