package io.heatshield.micrometer;

import static io.heatshield.micrometer.MeterDefinition.counter;
import static io.heatshield.micrometer.MeterDefinition.gauge;

import io.heatshield.store.GuardedStore;
import io.heatshield.store.stats.FilterReport;
import io.heatshield.store.stats.StoreStats;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The meters of a guarded store. */
final class StoreMeters {
  /** Meters of statistics that are expensive to read. */
  static final List<MeterDefinition<StoreStats>> STATS =
      List.of(
          counter("store.engine.calls", "Calls made to the engine", StoreStats::engineCalls),
          counter(
              "store.engine.calls.saved",
              "Calls to the engine that were avoided",
              StoreStats::engineCallsSaved),
          counter(
              "store.absent", "Reads answered as absent by the filter", StoreStats::absentAnswers),
          counter("store.cache.hits", "Reads answered from memory", StoreStats::cacheHits),
          counter("store.flights.joined", "Reads that shared a call", StoreStats::flightsJoined),
          counter(
              "store.clamped",
              "Writes throttled because their key is hot",
              StoreStats::clampedWrites),
          counter(
              "store.grouped", "Writes sent to the engine in a batch", StoreStats::groupedWrites),
          counter("store.expired", "Keys deleted because they had expired", StoreStats::expired),
          counter(
              "store.routing.moves",
              "Keys moved to or from the hot column family",
              StoreStats::routingMoves),
          counter(
              "store.filter.false.positives",
              "Absent keys that the filter did not recognize",
              StoreStats::falsePositives),
          counter(
              "store.filter.disagreements",
              "Keys that the filter reported absent and the engine has",
              StoreStats::disagreements),
          bytes("filter", StoreStats::filterBytes),
          bytes("cache", StoreStats::cacheBytes),
          bytes("rings", StoreStats::ringBytes),
          bytes("data", StoreStats::dataBytes));

  static final List<MeterDefinition<GuardedStore>> STATE =
      List.of(
          gauge(
              "store.longest.call.seconds",
              "Age of the oldest running call to the engine, 0 if there is none",
              store ->
                  store.longestCall().map(call -> call.running().toMillis() / 1e3).orElse(0.0)),
          gauge(
              "store.writable",
              "0 while the disk of the store refuses writes",
              store -> store.faults().isWritable() ? 1 : 0),
          counter(
              "store.disk.refusals",
              "Writes rejected because of the store's disk",
              store -> store.faults().refusedWrites()),
          counter(
              "store.damaged",
              "Calls that found damaged data on disk",
              store -> store.faults().damagedReads()));

  /** Meters of a store that has a filter. */
  static final List<MeterDefinition<GuardedStore>> FILTER =
      List.of(
          gauge(
              "store.filter.complete",
              "1 if the filter has all keys and is used",
              store -> store.filter().filter(FilterReport::complete).isPresent() ? 1 : 0),
          gauge(
              "store.filter.rebuild.scanned",
              "Keys read by the current or last rebuild of the filter",
              store -> store.filter().map(FilterReport::scanned).orElse(0L)));

  private StoreMeters() {}

  private static MeterDefinition<StoreStats> bytes(String part, ToDoubleFunction<StoreStats> size) {
    return gauge("store.bytes", "Memory by part", size, "part", part);
  }
}
