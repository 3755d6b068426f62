package io.heatshield.data.store;

import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.stats.FilterReport;
import io.heatshield.store.stats.StoreStats;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The meters of one store, labelled with its name.
 *
 * <p>They share one snapshot, which iterates over the rings and is taken at most once a second.
 */
final class StoreMeters {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final GuardedStore store;
  private final Metrics metrics;
  private StoreStats recent;
  private long takenNanos = System.nanoTime();

  private StoreMeters(String name, GuardedStore store, Metrics metrics) {
    this.name = name;
    this.store = store;
    this.metrics = metrics;
    this.recent = store.stats();
  }

  static void bind(String name, GuardedStore store, Metrics metrics) {
    var meters = new StoreMeters(name, store, metrics);
    meters.count("engine.calls", "Calls made to the engine", StoreStats::engineCalls);
    meters.count(
        "engine.calls.saved",
        "Calls to the engine that were avoided",
        StoreStats::engineCallsSaved);
    meters.count("absent", "Reads answered as absent by the filter", StoreStats::absentAnswers);
    meters.count("cache.hits", "Reads answered from memory", StoreStats::cacheHits);
    meters.count("flights.joined", "Reads that shared a call", StoreStats::flightsJoined);
    meters.count("clamped", "Writes throttled because their key is hot", StoreStats::clampedWrites);
    meters.count("grouped", "Writes sent to the engine in a batch", StoreStats::groupedWrites);
    meters.count("expired", "Keys deleted because they had expired", StoreStats::expired);
    meters.count(
        "routing.moves", "Keys moved to or from the hot column family", StoreStats::routingMoves);
    meters.count(
        "filter.false.positives",
        "Absent keys that the filter did not recognize",
        StoreStats::falsePositives);
    meters.count(
        "filter.disagreements",
        "Keys that the filter reported absent and the engine has",
        StoreStats::disagreements);
    meters.gauge(
        "longest.call.seconds",
        "Age of the oldest running call to the engine, 0 if there is none",
        () -> store.longestCall().map(call -> call.running().toMillis() / 1000.0).orElse(0.0));
    meters.gauge(
        "writable",
        "0 while the disk of the store refuses writes",
        () -> store.faults().isWritable() ? 1 : 0);
    meters.counter(
        "disk.refusals",
        "Writes rejected because of the store's disk",
        () -> store.faults().refusedWrites());
    meters.counter(
        "damaged", "Calls that found damaged data on disk", () -> store.faults().damagedReads());
    meters.part("filter", StoreStats::filterBytes);
    meters.part("cache", StoreStats::cacheBytes);
    meters.part("rings", StoreStats::ringBytes);
    meters.part("data", StoreStats::dataBytes);
    if (store.filter().isPresent()) {
      meters.gauge(
          "filter.complete",
          "1 if the filter has all keys and is used",
          () -> store.filter().filter(FilterReport::complete).isPresent() ? 1 : 0);
      meters.gauge(
          "filter.rebuild.scanned",
          "Keys read by the current or last rebuild of the filter",
          () -> store.filter().map(FilterReport::scanned).orElse(0L));
    }
  }

  private synchronized StoreStats stats() {
    long now = System.nanoTime();
    if (now - takenNanos >= FRESH_NANOS) {
      recent = store.stats();
      takenNanos = now;
    }
    return recent;
  }

  private void count(String what, String description, ToLongFunction<StoreStats> number) {
    counter(what, description, () -> number.applyAsLong(stats()));
  }

  private void counter(String what, String description, LongSupplier count) {
    metrics.counter("store." + what, description, count, "store", name);
  }

  private void gauge(String what, String description, DoubleSupplier value) {
    metrics.gauge("store." + what, description, value, "store", name);
  }

  private void part(String part, ToLongFunction<StoreStats> bytes) {
    metrics.gauge(
        "store.bytes",
        "Memory by part",
        () -> bytes.applyAsLong(stats()),
        "store",
        name,
        "part",
        part);
  }
}
