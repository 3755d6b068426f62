package io.heatshield.server.memory;

import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.Settings;
import io.heatshield.runtime.memory.MachineMemory;
import io.heatshield.runtime.memory.MemoryArea;
import io.heatshield.runtime.memory.MemoryPart;
import io.heatshield.runtime.memory.MemoryPlan;
import io.heatshield.runtime.memory.MemoryReport;
import io.heatshield.runtime.memory.MemoryText;
import io.heatshield.runtime.memory.ProcessMemory;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.time.Ticker;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory plan of a running server, beside what its parts really use.
 *
 * <p>What is used is read on request, at most once a second. Any thread may call any method.
 */
public final class ServerMemory {
  private static final Logger log = LoggerFactory.getLogger(ServerMemory.class);
  private static final long MAX_AGE_NANOS = 1_000_000_000L;

  private final MachineMemory machine;
  private final Settings started;
  private final Ticker ticker;
  private final Metrics metrics;
  private final Map<String, Supplier<Map<String, Long>>> sources = new ConcurrentHashMap<>();
  private final Set<String> shown = new HashSet<>();
  private final Set<String> measured = new HashSet<>();
  private volatile MemoryPlan plan;
  private @Nullable Map<String, Map<String, Long>> used;
  private long readAt;

  /** Creates the memory of a server whose configuration fits, and shows it in metrics. */
  public ServerMemory(MemoryFit fit, Ticker ticker, Metrics metrics) {
    this.plan = fit.plan();
    this.started = fit.configuration().settings();
    this.machine = fit.plan().machine();
    this.ticker = ticker;
    this.metrics = metrics;
    addSource("java", ProcessMemory::parts);
    showLimits();
    show(plan);
    log.info("memory plan: {}", MemoryText.line(plan));
    fit.lowered()
        .forEach(
            (path, value) ->
                log.info("{} is {}: the default lowered to fit the memory", path, value));
    warnOfHeap();
  }

  /**
   * Adds the bytes in use of the parts of one owner, by the names of the parts, which are always
   * the same.
   */
  public synchronized void addSource(String owner, Supplier<Map<String, Long>> source) {
    sources.put(owner, source);
    for (String name : source.get().keySet()) {
      boolean isPlanned = planned(owner, name) > 0;
      if (isPlanned && measured.add(owner + ": " + name)) {
        metrics.gauge(
            "memory.used.bytes",
            "The memory that a part uses, if it is measured",
            () -> used(owner, name),
            "owner",
            owner,
            "part",
            name);
      }
    }
  }

  /** Returns a configuration that fits beside what is running, or a fault. */
  public LoadResult check(LoadResult.Valid loaded) {
    return MemoryFit.check(loaded, started, machine);
  }

  /** Replaces the plan after a change of settings. */
  public void retune(Settings settings) {
    MemoryPlan next = PlannedMemory.of(settings, MemorySizes.of(settings), machine);
    show(next);
    plan = next;
  }

  /** Returns the plan. */
  public MemoryPlan plan() {
    return plan;
  }

  /** Returns what is planned and what is used. */
  public MemoryReport report() {
    MemoryPlan now = plan;
    Map<String, Map<String, Long>> inUse = used();
    return new MemoryReport(
        new MemoryReport.Use(now.bytes(MemoryArea.HEAP), ProcessMemory.heap(), machine.heap()),
        new MemoryReport.Use(
            now.bytes(MemoryArea.DIRECT), ProcessMemory.direct(), machine.direct()),
        new MemoryReport.Use(now.bytes(), ProcessMemory.resident(), machine.total()),
        machine.source(),
        now.parts().stream()
            .map(
                part ->
                    new MemoryReport.PartUse(
                        part.owner(),
                        part.name(),
                        part.area(),
                        part.bytes(),
                        inUse.getOrDefault(part.owner(), Map.of()).get(part.name()),
                        part.setting()))
            .toList());
  }

  private synchronized Map<String, Map<String, Long>> used() {
    long now = ticker.nanos();
    Map<String, Map<String, Long>> known = used;
    if (known == null || now - readAt >= MAX_AGE_NANOS) {
      known = new ConcurrentHashMap<>();
      for (Map.Entry<String, Supplier<Map<String, Long>>> source : sources.entrySet()) {
        known.put(source.getKey(), source.getValue().get());
      }
      used = known;
      readAt = now;
    }
    return known;
  }

  private void showLimits() {
    String name = "memory.limit.bytes";
    String text = "The maximum of an area of the memory";
    metrics.gauge(name, text, machine::heap, "area", "heap");
    metrics.gauge(name, text, machine::direct, "area", "direct");
    metrics.gauge(name, text, machine::total, "area", "total");
  }

  /** Adds meters for the parts that have none yet; a part that is not planned any more is 0. */
  private synchronized void show(MemoryPlan next) {
    for (MemoryPart part : next.parts()) {
      if (shown.add(part.label())) {
        String owner = part.owner();
        String name = part.name();
        metrics.gauge(
            "memory.planned.bytes",
            "The most memory that a part takes, computed from the settings",
            () -> planned(owner, name),
            "owner",
            owner,
            "part",
            name);
      }
    }
  }

  private double planned(String owner, String name) {
    return plan.parts().stream()
        .filter(part -> part.owner().equals(owner) && part.name().equals(name))
        .mapToLong(MemoryPart::bytes)
        .sum();
  }

  private double used(String owner, String name) {
    Long bytes = used().getOrDefault(owner, Map.of()).get(name);
    return bytes == null ? 0 : bytes;
  }

  /** Warns if the heap may grow so much that the other parts have no room in the machine. */
  private void warnOfHeap() {
    long others = plan.bytes() - plan.bytes(MemoryArea.HEAP);
    if (machine.heap() > machine.total() - others) {
      log.warn(
          "the heap may grow to {}, and with {} outside the heap that is more than the {} of {}:"
              + " lower -Xmx",
          MemoryText.size(machine.heap()),
          MemoryText.size(others),
          MemoryText.size(machine.total()),
          machine.isContainer() ? "this container" : machine.source());
    }
  }
}
