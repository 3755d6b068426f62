package io.heatshield.rls.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import io.heatshield.config.ConfigLoader;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.Settings;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.state.StateFolder;
import io.heatshield.testkit.time.FakeTicker;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of a server with a fake ticker. */
final class TablesFixture implements AutoCloseable {
  static final HashSecret SECRET = HashSecret.of(new byte[32]);
  static final Instant START = Instant.parse("2026-11-16T04:00:00Z");

  final FakeTicker ticker;
  final Savings savings = new Savings();
  final Metrics metrics = new Metrics();
  final ServerTables tables;
  final ServerScopes scopes;

  TablesFixture(Path folder, String yaml) {
    this(folder, yaml, new FakeTicker(), SECRET, START);
  }

  TablesFixture(Path folder, String yaml, FakeTicker ticker, HashSecret secret, Instant wall) {
    this.ticker = ticker;
    Ticker time = ticker::nanos;
    Clock clock = Clock.fixed(wall, ZoneOffset.UTC);
    Settings settings = settings(yaml);
    scopes = new ServerScopes(settings.detect(), secret, time, clock, metrics);
    try {
      tables =
          new ServerTables(secret, time, clock, scopes, savings, metrics, StateFolder.open(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    tables.take(settings.tables());
  }

  /** Applies the tables of other settings, as a reload does. */
  void reload(String yaml) {
    tables.take(settings(yaml).tables());
  }

  /** Touches a client of the first table, and returns whether it may pass. */
  boolean touch(String key) {
    return touch(key, null);
  }

  boolean touch(String key, @Nullable String target) {
    return tables.touch(tables.all().get(0), key, 1, target) == null;
  }

  /** Touches a client several times at the current time and returns how many touches pass. */
  int passed(String key, int touches) {
    int passed = 0;
    for (int i = 0; i < touches; i++) {
      passed += touch(key) ? 1 : 0;
    }
    return passed;
  }

  /** Returns the counts of a rule. */
  Action.Snapshot did(String rule) {
    return savings.snapshot().stream()
        .filter(action -> action.name().equals("rule:" + rule))
        .findFirst()
        .orElseThrow();
  }

  static Settings settings(String yaml) {
    LoadResult result =
        new ConfigLoader(Map.of()).load("heatshield.yaml", yaml.getBytes(StandardCharsets.UTF_8));
    assertThat(result).as(yaml).isInstanceOf(LoadResult.Valid.class);
    return ((LoadResult.Valid) result).configuration().settings();
  }

  @Override
  public void close() {
    metrics.close();
  }
}
