package io.heatshield.contest;

import static io.heatshield.contest.ContestFixture.bytes;
import static io.heatshield.time.Rate.perSecond;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.hash.HashSecret;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.time.Rate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of a table and its rules, and their changes. */
class HeavyHittersSettingsTest {
  private static final Rule FIVE_AT_ONCE =
      Rule.rate("five", Rate.perHour(1)).burst(5).block(ofMinutes(5));

  private final ContestFixture fixture = new ContestFixture();

  @Test
  void build_invalidSettings_reportsAll() {
    HeavyHittersBuilder builder =
        HeavyHitters.builder()
            .maxKeys(0)
            .maxBlocks(10_000_001)
            .window(Duration.ZERO)
            .probes(-1)
            .stripes(3)
            .rule(Rule.distinct("scan", 90))
            .rule(Rule.rate("scan", perSecond(1)));

    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidSettingsException.class)
        .hasMessage(
            "maxKeys must be 1 to 10000000: 0; maxBlocks must be 1 to 10000000: 10000001; "
                + "window must be PT0.001S to PT8784H: PT0S; probes must be 0 to 64: -1; "
                + "stripes must be a power of two up to 256: 3; "
                + "distinct must be set for the targets of rule scan: null; "
                + "rules must have different names: scan");
    assertThatThrownBy(() -> builder.entryBytes(9)).isInstanceOf(InvalidSettingsException.class);
  }

  @Test
  void build_aRuleThatCanNeverBeMet_isReported() {
    HeavyHittersBuilder builder =
        fixture.builder(9).distinct(DistinctSettings.DEFAULT).rule(Rule.distinct("scan", 1_420));

    assertThatThrownBy(builder::build)
        .hasMessage(
            "targets of rule scan must be below 1420, the most that 256 bits can count: 1420");
  }

  @Test
  void build_moreThan64Rates_isReported() {
    HeavyHittersBuilder builder = fixture.builder(9);
    for (int i = 0; i < 65; i++) {
      builder.rule(Rule.rate("r" + i, perSecond(1)));
    }

    assertThatThrownBy(builder::build).hasMessage("rules with a rate must be at most 64: 65");
  }

  @ParameterizedTest
  @CsvSource({
    "2147483648, 1, rate must be at most 2147483647 touches",
    "-1, 1, touches must not be negative",
    "1, 0, per must be above 0"
  })
  void rate_invalid_throws(long touches, long seconds, String reason) {
    assertThatThrownBy(() -> Rule.rate("r", new Rate(touches, ofSeconds(seconds))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void rule_invalid_throws() {
    Rule yearly = Rule.rate("r", new Rate(1, Duration.ofDays(366)));

    assertThatThrownBy(() -> Rule.distinct("", 1)).hasMessage("name must not be empty");
    assertThatThrownBy(() -> Rule.distinct("r", -1))
        .hasMessage("distinct must not be negative: -1");
    assertThatThrownBy(() -> Rule.distinct("r", 1).burst(2))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> yearly.burst(0)).hasMessage("burst must be 1 to 2147483647: 0");
    assertThatThrownBy(() -> yearly.burst(Integer.MAX_VALUE))
        .hasMessageContaining("burst must fit");
    assertThatThrownBy(() -> yearly.block(Duration.ZERO))
        .hasMessageContaining("time must be above 0");
  }

  @Test
  void rule_withoutABurst_allowsTheTouchesOfASecond() {
    assertThat(Rule.rate("r", perSecond(50)).burst()).isEqualTo(50);
    assertThat(Rule.rate("r", Rate.perMinute(90)).burst()).isEqualTo(2);
    assertThat(Rule.rate("r", Rate.perDay(1)).burst()).isEqualTo(1);
    assertThat(Rule.rate("r", perSecond(9)).distinct(3).block(ofSeconds(1)).mode(Mode.OBSERVE))
        .hasToString(
            "r: above 9 per PT1S with a burst of 9 above 3 targets, block for PT1S (OBSERVE)");
  }

  @Test
  void reconfigure_otherRules_keepsBlocksAndBucketsWhereRatesStay() {
    HeavyHitters table = fixture.builder(100).rule(FIVE_AT_ONCE).build();
    touch(table, "blocked", 6);
    touch(table, "charged", 5);

    table.reconfigure(fixture.builder(120).rule(FIVE_AT_ONCE.block(ofMinutes(1))));

    assertThat(table.touch("blocked").refused()).isTrue();
    assertThat(table.touch("charged").retryAfter()).isEqualTo(ofMinutes(1));
    assertThat(table.stats().keys().capacity()).isEqualTo(120);
    assertThat(table.stats().rules()).containsExactly(new RuleStats("five", Mode.ENFORCE, 3, 0));
    fixture.ticker.advance(ofMinutes(1));
    assertThat(table.touch("blocked").refused()).as("blocked before, for 5 min").isTrue();
  }

  @Test
  void reconfigure_ruleInObserve_endsItsRefusalsAtOnce() {
    HeavyHitters table = fixture.builder(100).rule(FIVE_AT_ONCE).build();
    touch(table, "client", 6);

    table.reconfigure(fixture.builder(100).rule(FIVE_AT_ONCE.mode(Mode.OBSERVE)));

    assertThat(table.touch("client").refused()).isFalse();
    assertThat(table.blocked())
        .singleElement()
        .satisfies(block -> assertThat(block.rule()).contains("five"));
    table.reconfigure(fixture.builder(100));
    assertThat(table.blocked())
        .singleElement()
        .satisfies(block -> assertThat(block.rule()).isEmpty());
    table.reconfigure(fixture.builder(100).rule(FIVE_AT_ONCE));
    assertThat(table.touch("client").refused()).isTrue();
  }

  @Test
  void reconfigure_anotherWindow_keepsScoresAndCounts() {
    HeavyHitters table = fixture.builder(100).build();
    touch(table, "client", 6);

    table.reconfigure(fixture.builder(100).window(ofMinutes(1)));

    assertThat(table.find("client").orElseThrow().score()).isEqualTo(6);
    assertThat(table.stats().keys().touches()).isEqualTo(6);
  }

  @Test
  void reconfigure_anotherSecretOrInvalid_throwsAndChangesNothing() {
    HeavyHitters table = fixture.builder(100).rule(FIVE_AT_ONCE).build();
    touch(table, "client", 6);

    assertThatThrownBy(
            () -> table.reconfigure(HeavyHitters.builder().secret(HashSecret.of(new byte[16]))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("secret must be the secret of the table");
    assertThatThrownBy(() -> table.reconfigure(HeavyHitters.builder().maxKeys(0)))
        .isInstanceOf(InvalidSettingsException.class);

    assertThat(table.touch("client").refused()).isTrue();
    table.reconfigure(HeavyHitters.builder().rule(FIVE_AT_ONCE));
    assertThat(table.touch(bytes("client")).refused()).isTrue();
  }

  @Test
  void resize_fewerKeysThanStripes_keepsTheHighestScores() {
    HeavyHitters table = fixture.builder(1_000).rule(FIVE_AT_ONCE).build();
    for (int i = 1; i <= 100; i++) {
      table.touch("client:" + i, i, List.of());
    }

    table.resize(8);

    assertThat(table.top(9))
        .extracting(KeyScore::score)
        .containsExactly(100.0, 99.0, 98.0, 97.0, 96.0, 95.0, 94.0, 93.0);
    assertThat(table.stats().keys().evictions()).isEqualTo(92);
    assertThat(table.check("client:6").refused()).isTrue();
    assertThatThrownBy(() -> table.resize(0)).hasMessage("maxKeys must be 1 to 10000000: 0");
    assertThatThrownBy(() -> table.resize(10_000_001)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void entryBytes_moreStatePerKey_isMore() {
    HeavyHittersBuilder plain = fixture.builder(9);
    HeavyHittersBuilder ruled =
        fixture.builder(9).distinct(DistinctSettings.DEFAULT).rule(FIVE_AT_ONCE);

    assertThat(ruled.entryBytes(64)).isEqualTo(ruled.build().entryBytes(64));
    assertThat(ruled.entryBytes(64) - plain.entryBytes(64)).isEqualTo(16 + 40 + 16 + 16);
    assertThat(plain.entryBytes(9_999)).isEqualTo(plain.entryBytes(513));
  }

  private static void touch(HeavyHitters table, String key, int times) {
    for (int i = 0; i < times; i++) {
      table.touch(key);
    }
  }
}
