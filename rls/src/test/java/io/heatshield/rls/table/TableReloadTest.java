package io.heatshield.rls.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.contest.HeavyHitters;
import io.heatshield.contest.KeyScore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableReloadTest {
  private static final String RULE =
      "{ name: r, when: { rate_above: 1/h, burst: 5 }, block_for: 5m, mode: enforce }";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void take_fewerSlots_keepsTheHighestScores() {
    try (var fixture = new TablesFixture(folder, tables("slots: 600"))) {
      for (int i = 1; i <= 100; i++) {
        assertThat(fixture.passed("client:" + i, i)).isEqualTo(i);
      }

      fixture.reload(tables("slots: 8"));

      HeavyHitters clients = fixture.tables.all().get(0).clients();
      assertThat(clients.stats().keys().capacity()).isEqualTo(8);
      assertThat(clients.top(9))
          .extracting(KeyScore::score)
          .containsExactly(100.0, 99.0, 98.0, 97.0, 96.0, 95.0, 94.0, 93.0);
      assertThat(fixture.metrics.scrape())
          .contains("heatshield_table_touches_total{table=\"t\"} 5050.0")
          .contains("heatshield_table_evictions_total{table=\"t\"} 92.0");
    }
  }

  @Test
  void take_otherRules_keepsBlocksAndBucketsWhereRatesStay() {
    try (var fixture = new TablesFixture(folder, tables("rules: [" + RULE + "]"))) {
      assertThat(fixture.passed("blocked", 6)).isEqualTo(5);
      assertThat(fixture.passed("charged", 5)).isEqualTo(5);

      fixture.reload(tables("slots: 60000, rules: [" + RULE.replace("5m", "1m") + "]"));

      assertThat(fixture.touch("blocked")).isFalse();
      assertThat(fixture.touch("charged")).isFalse();
      fixture.ticker.advance(Duration.ofMinutes(1));
      assertThat(fixture.touch("blocked")).isFalse();
    }
  }

  @Test
  void take_aRuleChangedToObserve_stopsRejectingAtOnce() {
    try (var fixture = new TablesFixture(folder, tables("rules: [" + RULE + "]"))) {
      assertThat(fixture.passed("client", 6)).isEqualTo(5);

      fixture.reload(tables("rules: [" + RULE.replace("enforce", "observe") + "]"));

      assertThat(fixture.passed("client", 10)).isEqualTo(10);
      assertThat(fixture.did("r").mode()).isEqualTo(Mode.OBSERVE);
      assertThat(fixture.did("r").applied()).isEqualTo(1);
      assertThat(fixture.did("r").wouldHaveApplied()).isEqualTo(10);
    }
  }

  @Test
  void take_aRemovedRule_removesItsBlocksAndCounts() {
    try (var fixture = new TablesFixture(folder, tables("rules: [" + RULE + "]"))) {
      assertThat(fixture.passed("client", 6)).isEqualTo(5);

      fixture.reload(tables("rules: [" + RULE.replace("name: r", "name: other") + "]"));

      assertThat(fixture.touch("client")).isFalse();
      assertThat(fixture.savings.snapshot())
          .singleElement()
          .hasFieldOrPropertyWithValue("name", "rule:other");
    }
  }

  @Test
  void take_anotherKey_clearsTheTable() {
    try (var fixture = new TablesFixture(folder, tables("rules: [" + RULE + "]"))) {
      assertThat(fixture.passed("client", 6)).isEqualTo(5);

      fixture.reload(tables("key: user, rules: [" + RULE + "]"));

      assertThat(fixture.passed("client", 6)).isEqualTo(5);
      assertThat(fixture.tables.all().get(0).clients().stats().keys().size()).isEqualTo(1);
    }
  }

  @Test
  void take_noTablesOrAThousandNames_keepsTheCountsBounded() {
    try (var fixture = new TablesFixture(folder, tables("rules: [" + RULE + "]"))) {
      for (int reload = 0; reload < 150; reload++) {
        String name = "name: r" + reload + "-";
        String rules =
            IntStream.range(0, 32)
                .mapToObj(i -> RULE.replace("name: r", name + i))
                .collect(Collectors.joining(", "));
        fixture.reload(tables("rules: [" + rules + "]"));
      }
      assertThat(fixture.savings.snapshot()).hasSize(32);

      fixture.reload("tables: []");

      assertThat(fixture.tables.all()).isEmpty();
      assertThat(fixture.savings.snapshot()).isEmpty();
      assertThat(fixture.metrics.scrape()).contains("heatshield_table_size{table=\"t\"} 0.0");
    }
  }

  @Test
  void take_aTrustedNetwork_unblocksItsClients() {
    try (var fixture = new TablesFixture(folder, tables("rules: [" + RULE + "]"))) {
      assertThat(fixture.passed("10.0.0.1", 6)).isEqualTo(5);

      fixture.reload(tables("trusted: [10.0.0.0/8], rules: [" + RULE + "]"));

      assertThat(fixture.passed("10.0.0.1", 10)).isEqualTo(10);
    }
  }

  private static String tables(String more) {
    return "tables: [{ name: t, " + more + " }]";
  }
}
