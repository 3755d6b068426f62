package io.heatshield.shield;

import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.config.settings.WriteLimitSettings;
import io.heatshield.config.settings.Writers;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.ChangeFeed;
import io.heatshield.guard.FilterShape;
import io.heatshield.guard.GuardContext;
import io.heatshield.guard.HotValues;
import io.heatshield.guard.WriteThrottle;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import io.heatshield.runtime.metrics.Metrics;
import java.util.Map;

/** The protections of the upstream's keys, which all clients share. Thread-safe. */
record KeyProtection(
    KeyHash hash,
    HotReplies hotReplies,
    WriteThrottle writeThrottle,
    AbsentKeys absentKeys,
    Invalidation invalidation) {
  /**
   * Creates protections that remember nothing yet.
   *
   * @param changes reports which changes of the upstream have been delivered
   */
  static KeyProtection of(GuardContext guard, ShieldSettings settings, ChangeFeed changes) {
    ShieldBudget budget = ShieldBudget.of(settings.maxMemory().bytes());
    var hotReplies =
        new HotReplies(guard, settings.hotReads(), budget.cache(), ring(guard, budget), changes);
    WriteLimitSettings writes = settings.writeLimit();
    var writeThrottle =
        new WriteThrottle(
            guard, ring(guard, budget), ShieldBudget.WINDOW, writes.mode(), writes.perWindow());
    var absentKeys =
        new AbsentKeys(
            guard,
            FilterShape.addOnly(settings.cuckooFilter().expectedItems()),
            budget.filter(),
            settings.writers() == Writers.EXCLUSIVE,
            changes,
            key -> 0);
    absentKeys.mode(settings.cuckooFilter().mode());
    var invalidation = new Invalidation(guard.hash(), hotReplies, absentKeys);
    return new KeyProtection(guard.hash(), hotReplies, writeThrottle, absentKeys, invalidation);
  }

  private static HotRing ring(GuardContext guard, ShieldBudget budget) {
    return budget.ring().secret(guard.secret()).ticker(guard.ticker()).build();
  }

  /** Returns the bytes that are in use, by the names of the parts. */
  Map<String, Long> usedBytes() {
    HotValues<?, ?> values = hotReplies.values();
    return Map.of(
        "hot values", values.bytes(),
        "filter", absentKeys.filter().bytes(),
        "rings", values.ring().bytes() + writeThrottle.ring().bytes());
  }

  void tune(ShieldSettings next) {
    hotReplies.tune(next.hotReads());
    writeThrottle.tune(next.writeLimit().mode(), next.writeLimit().perWindow());
    absentKeys.mode(next.cuckooFilter().mode());
  }

  void bind(Metrics metrics) {
    HotValues<?, ?> values = hotReplies.values();
    metrics.counter("shield.cache.hits", "Reads answered from memory", values::hits);
    metrics.counter("shield.cache.loads", "Answers of the upstream kept in memory", values::loads);
    metrics.gauge("shield.cache.bytes", "Memory of hot values", values::bytes);
    metrics.counter(
        "shield.absence.disagreements",
        "Keys that the filter took for absent and the upstream held",
        absentKeys::disagreements);
    metrics.gauge(
        "shield.absence.complete",
        "1 if the filter has every key of the upstream",
        () -> absentKeys.isTrusted() ? 1 : 0);
  }
}
