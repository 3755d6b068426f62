package io.heatshield.data.store;

import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.stats.FilterReport;
import io.heatshield.store.stats.StoreStats;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The meters of one store; the label is its name.
 *
 * <p>All of them read one snapshot, which walks the rings and so is taken once a second at most.
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
        "engine.calls.saved", "Calls to the engine that were saved", StoreStats::engineCallsSaved);
    meters.count("absent", "Reads answered absent by the filter", StoreStats::absentAnswers);
    meters.count("cache.hits", "Reads answered from memory", StoreStats::cacheHits);
    meters.count("flights.joined", "Reads that shared a call", StoreStats::flightsJoined);
    meters.count("clamped", "Writes refused because their key is hot", StoreStats::clampedWrites);
    meters.count("grouped", "Writes that went to the engine in a group", StoreStats::groupedWrites);
    meters.count("expired", "Keys deleted because they had ended", StoreStats::expired);
    meters.count("routing.moves", "Keys that changed sides", StoreStats::routingMoves);
    meters.count(
        "filter.false.positives",
        "Absent keys that the filter let through",
        StoreStats::falsePositives);
    meters.count(
        "filter.disagreements",
        "Keys that the filter took for absent and the engine held",
        StoreStats::disagreements);
    metrics.gauge(
        "store.longest.call.seconds",
        "Age of the oldest call to the engine that has not ended, 0 if there is none",
        () -> store.longestCall().map(call -> call.running().toMillis() / 1000.0).orElse(0.0),
        "store",
        name);
    meters.faults();
    meters.part("filter", StoreStats::filterBytes);
    meters.part("cache", StoreStats::cacheBytes);
    meters.part("rings", StoreStats::ringBytes);
    meters.part("data", StoreStats::dataBytes);
    if (store.filter().isPresent()) {
      meters.filter();
    }
  }

  private void faults() {
    metrics.gauge(
        "store.writable",
        "0 while the disk of the store refuses writes",
        () -> store.faults().isWritable() ? 1 : 0,
        "store",
        name);
    metrics.counter(
        "store.disk.refusals",
        "Writes that the disk of the store refused",
        () -> store.faults().refusedWrites(),
        "store",
        name);
    metrics.counter(
        "store.damaged",
        "Calls that met damaged data on disk",
        () -> store.faults().damagedReads(),
        "store",
        name);
  }

  private void filter() {
    metrics.gauge(
        "store.filter.complete",
        "1 if the filter has every key, so that it is trusted",
        () -> store.filter().filter(FilterReport::complete).isPresent() ? 1 : 0,
        "store",
        name);
    metrics.gauge(
        "store.filter.rebuild.scanned",
        "Keys that the present or last rebuild of the filter has read",
        () -> store.filter().map(FilterReport::scanned).orElse(0L),
        "store",
        name);
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
    metrics.counter("store." + what, description, () -> number.applyAsLong(stats()), "store", name);
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
