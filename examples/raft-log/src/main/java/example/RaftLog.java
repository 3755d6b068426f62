package example;

import static java.time.Duration.ofSeconds;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.KeyReport;
import io.heatshield.detect.Scopes;
import io.heatshield.micrometer.HeatshieldMetrics;
import io.heatshield.time.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.logging.Logger;

/** A replicated log of writes, which reports the keys of each shard and tenant that are hot. */
public final class RaftLog {
  private static final Logger log = Logger.getLogger(RaftLog.class.getName());
  private static final int MAX_SCOPES = 64;

  private final List<String> entries = new ArrayList<>();
  private final MeterRegistry registry;
  private final Scopes scopes;

  private RaftLog(Scheduler scheduler, MeterRegistry registry) {
    this.registry = registry;
    this.scopes =
        Scopes.builder()
            .maxScopes(MAX_SCOPES)
            .detectors(scope -> detector(scope, scheduler))
            .build();
  }

  public static void main(String[] args) {
    ScheduledExecutorService upkeep = Executors.newSingleThreadScheduledExecutor();
    var registry = new SimpleMeterRegistry();
    try {
      var raft = new RaftLog(Scheduler.of(upkeep), registry);
      for (int i = 0; i < 5_000; i++) {
        raft.append(i % 4, "acme", "cart:" + i);
        raft.append(1, "acme", "counter");
      }

      for (KeyReport key : raft.scopes.find("shard-1/acme").orElseThrow().hot()) {
        System.out.println("hot in shard-1/acme: " + key.key());
      }
      System.out.println("scopes: " + raft.scopes.all().keySet());
      System.out.println("metrics: " + (registry.getMeters().isEmpty() ? "none" : "bound"));
    } finally {
      upkeep.shutdown();
    }
  }

  /** Counts the key, then appends the write. Counting never delays or refuses a write. */
  private void append(int shard, String tenant, String key) {
    scopes.open("shard-" + shard + "/" + tenant).ifPresent(detector -> detector.touch(key));
    entries.add(key);
  }

  private HotKeyDetector detector(String scope, Scheduler scheduler) {
    HotKeyDetector detector =
        HotKeyDetector.builder()
            .window(ofSeconds(10))
            .threshold(100)
            .onHot(key -> log.warning(() -> scope + ": " + key.key() + " is hot"))
            .onCool(key -> log.info(() -> scope + ": " + key.key() + " was hot for " + key.hotFor()))
            .maintainOn(scheduler)
            .build();
    new HeatshieldMetrics(detector, scope).bindTo(registry);
    return detector;
  }
}
