package io.heatshield.store;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a store tells of itself, from what its parts have counted; any thread may ask. */
final class Told {
  private final Engine engine;
  private final Parts parts;
  private final Guards guards;
  private final Upkeep upkeep;
  private final @Nullable NearWay near;

  Told(Engine engine, Parts parts, Guards guards, Upkeep upkeep, @Nullable NearWay near) {
    this.engine = engine;
    this.parts = parts;
    this.guards = guards;
    this.upkeep = upkeep;
    this.near = near;
  }

  /** Returns what the store holds and did. */
  StoreStats stats() {
    Tally tally = parts.tally();
    return new StoreStats(
        guards.hotReads == null
            ? List.of()
            : HotKey.of(guards.hotReads.reads().ring(), guards.tuned().hotReads().threshold()),
        guards.hotWrites == null
            ? List.of()
            : HotKey.of(guards.hotWrites.ring(), guards.tuned().routing().threshold()),
        tally.clamped.sum(),
        tally.absent.sum(),
        tally.falsePositives.sum(),
        tally.disagreements.sum(),
        tally.flightsJoined.sum(),
        tally.cacheHits.sum(),
        engineCalls(),
        tally.absent.sum()
            + tally.cacheHits.sum()
            + tally.flightsJoined.sum()
            + tally.clamped.sum()
            + tally.grouped.sum()
            - tally.groups.sum(),
        tally.grouped.sum(),
        tally.groups.sum(),
        engine.moves(),
        tally.expired.sum(),
        upkeep.filterBytes(),
        upkeep.cacheBytes(),
        upkeep.ringBytes(),
        upkeep.dataBytes(),
        parts.options().maxMemory());
  }

  /** Returns how many calls were made to the engine. */
  long engineCalls() {
    return parts.tally().engineCalls.sum() + (near == null ? 0 : near.puts());
  }

  /** Returns the state of the filter, if the store has one. */
  Optional<FilterReport> filter() {
    Absence absence = guards.absence;
    Rebuild rebuild = upkeep.rebuild();
    if (absence == null || rebuild == null) {
      return Optional.empty();
    }
    return Optional.of(
        new FilterReport(
            absence.mode(),
            absence.isComplete(),
            rebuild.isRunning(),
            rebuild.scanned(),
            rebuild.expected(),
            rebuild.last(),
            absence.stats()));
  }
}
