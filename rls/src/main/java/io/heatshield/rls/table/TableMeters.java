package io.heatshield.rls.table;

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
    for (TableRule rule : table.rules()) {
      if (shown.add(name + "/" + rule.name())) {
        rule(name, rule.name());
      }
    }
  }

  private void clients(String table) {
    gauge(table, "table.size", "Clients in a table now", clients(ContestStats::size));
    gauge(table, "table.capacity", "The most clients in a table", clients(ContestStats::capacity));
    metrics.gauge(
        "table.used",
        "The share of a table's slots that are taken, 0 to 1",
        () -> tables.apply(table).map(now -> now.clients().stats().used()).orElse(0.0),
        "table",
        table);
    counter(
        table, "table.touches", "Touches of clients that a table received", ContestStats::touches);
    counter(
        table,
        "table.untracked",
        "Touches of clients that found no place in a table",
        ContestStats::untracked);
    counter(
        table, "table.contests", "Touches of newcomers to a full table", ContestStats::contests);
    counter(table, "table.won", "Contests that brought the newcomer in", ContestStats::won);
    counter(table, "table.evictions", "Clients that lost their place", ContestStats::evictions);
    counter(
        table,
        "table.expired",
        "Clients that lost their place after a window of silence",
        ContestStats::expired);
    counter(
        table,
        "table.replaced",
        "Clients that lost their place by their score",
        ContestStats::replaced);
    counter(
        table,
        "table.rejected",
        "Contests that the newcomer lost by its score",
        ContestStats::rejected);
  }

  private void blocks(String table) {
    gauge(
        table,
        "table.blocks",
        "Places for blocks that are taken now",
        now -> now.blocks().stats().size());
    gauge(
        table,
        "table.blocks.capacity",
        "The most clients that a table blocks at a time",
        now -> now.blocks().stats().capacity());
    blockCounter(table, "table.blocked", "Clients that were blocked", BlockStats::blocked);
    blockCounter(
        table,
        "table.blocks.refused",
        "Clients that were not blocked, for every place was taken",
        BlockStats::refused);
    blockCounter(
        table, "table.blocks.lifted", "Blocks that were ended on demand", BlockStats::lifted);
    count(
        table,
        "table.log.held.back",
        "Lines about clients that were held back to keep the log readable",
        now -> now.log().heldBack());
  }

  private void rule(String table, String rule) {
    metrics.counter(
        "table.rule.applied",
        "Uses that a rule refused, or lines of a rule that only logs",
        () -> actions(table, rule, found -> found.action().snapshot().applied()),
        "table",
        table,
        "rule",
        rule);
    metrics.counter(
        "table.rule.would.have.applied",
        "What a rule in observe would have refused or logged",
        () -> actions(table, rule, found -> found.action().snapshot().wouldHaveApplied()),
        "table",
        table,
        "rule",
        rule);
  }

  private long actions(String table, String rule, ToLongFunction<TableRule> count) {
    return tables
        .apply(table)
        .flatMap(now -> now.rules().stream().filter(r -> r.name().equals(rule)).findFirst())
        .map(count::applyAsLong)
        .orElse(0L);
  }

  private void counter(
      String table, String name, String description, ToLongFunction<ContestStats> count) {
    count(table, name, description, now -> count.applyAsLong(now.clients().stats()));
  }

  private void blockCounter(
      String table, String name, String description, ToLongFunction<BlockStats> count) {
    count(table, name, description, now -> count.applyAsLong(now.blocks().stats()));
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
    return now -> value.applyAsLong(now.clients().stats());
  }
}
