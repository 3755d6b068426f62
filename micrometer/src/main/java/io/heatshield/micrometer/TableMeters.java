package io.heatshield.micrometer;

import static io.heatshield.micrometer.MeterDefinition.counter;
import static io.heatshield.micrometer.MeterDefinition.gauge;

import io.heatshield.contest.BlockStats;
import io.heatshield.contest.ContestStats;
import java.util.List;

/** The meters of a table of clients and of its blocks. */
final class TableMeters {
  static final List<MeterDefinition<ContestStats>> KEYS =
      List.of(
          gauge("table.size", "Clients in a table", ContestStats::size),
          gauge("table.capacity", "Maximum number of clients in a table", ContestStats::capacity),
          gauge("table.used", "Fraction of a table's slots that are used", ContestStats::used),
          counter("table.touches", "Requests of clients counted by a table", ContestStats::touches),
          counter(
              "table.untracked",
              "Requests of clients that a full table did not track",
              ContestStats::untracked),
          counter(
              "table.contests",
              "Requests of new clients that competed for a slot of a full table",
              ContestStats::contests),
          counter("table.won", "Contests that the new client won", ContestStats::won),
          counter("table.evictions", "Clients evicted from a table", ContestStats::evictions),
          counter(
              "table.expired",
              "Clients evicted after a window without requests",
              ContestStats::expired),
          counter(
              "table.replaced", "Clients evicted because of a lower rate", ContestStats::replaced),
          counter("table.rejected", "Contests that the new client lost", ContestStats::rejected));

  static final List<MeterDefinition<BlockStats>> BLOCKS =
      List.of(
          gauge("table.blocks", "Blocked clients", BlockStats::size),
          gauge("table.blocks.capacity", "Maximum number of blocked clients", BlockStats::capacity),
          counter("table.blocked", "Clients blocked so far", BlockStats::blocked),
          counter(
              "table.blocks.refused",
              "Clients not blocked because the table of blocks was full",
              BlockStats::refused),
          counter("table.blocks.lifted", "Blocks ended on demand", BlockStats::lifted));

  private TableMeters() {}
}
