package io.heatshield.rls.table;

import io.heatshield.action.Action;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.contest.BlockStats;
import io.heatshield.contest.ContestStats;
import io.heatshield.runtime.metrics.Metrics;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Registers the meters of every table by name. Those of a removed table stay and are 0, so their
 * number is bounded by the names that configurations had.
 */
final class TableMeters {
  private final Metrics metrics;
  private final Function<String, Optional<ClientTable>> tables;
  private final Set<String> shown = new HashSet<>();

  TableMeters(Metrics metrics, Function<String, Optional<ClientTable>> tables) {
    this.metrics = metrics;
    this.tables = tables;
  }

  /** Registers the meters of a table and of its rules, once. */
  void show(ClientTable table) {
    String name = table.settings().name();
    if (shown.add(name)) {
      clients(name);
      blocks(name);
    }
    for (TableSettings.Rule rule : table.settings().rules()) {
      if (shown.add(name + "/" + rule.name())) {
        rule(name, rule.name());
      }
    }
  }

  private void clients(String table) {
    gauge(table, "table.size", "Clients in a table", clients(ContestStats::size));
    gauge(
        table,
        "table.capacity",
        "Maximum number of clients in a table",
        clients(ContestStats::capacity));
    metrics.gauge(
        "table.used",
        "Fraction of a table's slots that are used",
        () -> tables.apply(table).map(now -> now.clients().stats().keys().used()).orElse(0.0),
        "table",
        table);
    counter(
        table, "table.touches", "Requests of clients counted by a table", ContestStats::touches);
    counter(
        table,
        "table.untracked",
        "Requests of clients that a full table did not track",
        ContestStats::untracked);
    counter(
        table,
        "table.contests",
        "Requests of new clients that competed for a slot of a full table",
        ContestStats::contests);
    counter(table, "table.won", "Contests that the new client won", ContestStats::won);
    counter(table, "table.evictions", "Clients evicted from a table", ContestStats::evictions);
    counter(
        table,
        "table.expired",
        "Clients evicted after a window without requests",
        ContestStats::expired);
    counter(
        table, "table.replaced", "Clients evicted because of a lower rate", ContestStats::replaced);
    counter(table, "table.rejected", "Contests that the new client lost", ContestStats::rejected);
  }

  private void blocks(String table) {
    gauge(table, "table.blocks", "Blocked clients", now -> now.clients().stats().blocks().size());
    gauge(
        table,
        "table.blocks.capacity",
        "Maximum number of blocked clients",
        now -> now.clients().stats().blocks().capacity());
    blockCounter(table, "table.blocked", "Clients blocked so far", BlockStats::blocked);
    blockCounter(
        table,
        "table.blocks.refused",
        "Clients not blocked because the table of blocks was full",
        BlockStats::refused);
    blockCounter(table, "table.blocks.lifted", "Blocks ended on demand", BlockStats::lifted);
    count(
        table,
        "table.log.held.back",
        "Log lines about clients omitted because of log_interval",
        now -> now.log().heldBack());
  }

  private void rule(String table, String rule) {
    metrics.counter(
        "table.rule.applied",
        "Requests rejected by a rule, or lines of a rule that only logs",
        () -> actions(table, rule, Action.Snapshot::applied),
        "table",
        table,
        "rule",
        rule);
    metrics.counter(
        "table.rule.would.have.applied",
        "Requests that a rule in mode observe would have rejected or logged",
        () -> actions(table, rule, Action.Snapshot::wouldHaveApplied),
        "table",
        table,
        "rule",
        rule);
  }

  private long actions(String table, String rule, ToLongFunction<Action.Snapshot> count) {
    return tables
        .apply(table)
        .map(now -> now.action(rule))
        .map(action -> count.applyAsLong(action.snapshot()))
        .orElse(0L);
  }

  private void counter(
      String table, String name, String description, ToLongFunction<ContestStats> count) {
    count(table, name, description, now -> count.applyAsLong(now.clients().stats().keys()));
  }

  private void blockCounter(
      String table, String name, String description, ToLongFunction<BlockStats> count) {
    count(table, name, description, now -> count.applyAsLong(now.clients().stats().blocks()));
  }

  private void count(
      String table, String name, String description, ToLongFunction<ClientTable> count) {
    metrics.counter(
        name,
        description,
        () -> tables.apply(table).map(count::applyAsLong).orElse(0L),
        "table",
        table);
  }

  private void gauge(
      String table, String name, String description, ToDoubleFunction<ClientTable> value) {
    metrics.gauge(
        name,
        description,
        () -> tables.apply(table).map(value::applyAsDouble).orElse(0.0),
        "table",
        table);
  }

  private static ToDoubleFunction<ClientTable> clients(ToLongFunction<ContestStats> value) {
    return now -> value.applyAsLong(now.clients().stats().keys());
  }
}
