package io.heatshield.server.memory;

import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.data.DataLimits;
import io.heatshield.data.store.StoreMemoryParts;
import io.heatshield.fleet.FleetView;
import io.heatshield.fleet.NodeSnapshot;
import io.heatshield.insight.history.HeatHistory;
import io.heatshield.insight.incident.IncidentLog;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.series.SeriesRecorder;
import io.heatshield.rls.LimitsMemory;
import io.heatshield.rls.table.TableMemory;
import io.heatshield.runtime.memory.JavaMemory;
import io.heatshield.runtime.memory.MachineMemory;
import io.heatshield.runtime.memory.MemoryArea;
import io.heatshield.runtime.memory.MemoryPart;
import io.heatshield.runtime.memory.MemoryPlan;
import io.heatshield.shield.ShieldBudget;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the memory plan of a server from its settings, before anything is allocated.
 *
 * <p>What has no bound of its own, because it depends on the clients, is planned for {@value
 * #CLIENTS} connections, {@value #NODES} nodes of a fleet, and names of ordinary length.
 */
final class PlannedMemory {
  static final int CLIENTS = 1000;
  static final int NODES = 16;
  static final String CONNECTIONS = "connections";
  static final String CLIENTS_HELD = "commands and replies";
  static final String BUFFERS = "network buffers";
  static final String DETECT = "detect";
  static final String DETECTORS = "detectors";

  private static final long CONNECTION_BYTES = 4096;
  private static final long CALLS_BYTES = 4 << 20;

  /** Netty allocates in chunks of this size, for each of its arenas, two by processor. */
  private static final long CHUNK_BYTES = 4 << 20;

  private static final int CHUNKS_OF_DIRECT = 6;

  private PlannedMemory() {}

  /**
   * Returns the plan of settings on a machine, with these sizes instead of those of the settings.
   */
  static MemoryPlan of(Settings settings, MemorySizes sizes, MachineMemory machine) {
    var parts = new ArrayList<MemoryPart>();
    for (StoreSettings store : settings.openStores()) {
      parts.addAll(StoreMemoryParts.parts(store, sizes.of(store)));
    }
    if (settings.shield() != null) {
      parts.addAll(ShieldBudget.of(sizes.shield()).parts());
    }
    LimitsSettings limits = settings.limits();
    if (limits != null) {
      parts.addAll(LimitsMemory.parts(limits, sizes.counters()));
    }
    for (TableSettings table : settings.tables()) {
      parts.addAll(TableMemory.parts(table));
    }
    parts.add(detectors(settings));
    parts.add(history());
    if (settings.fleet() != null) {
      long bytes = NODES * (long) NodeSnapshot.MAX_BYTES + 3L * FleetView.MAX_BYTES;
      parts.add(MemoryPart.heap("fleet", "snapshots", bytes, ""));
    }
    parts.addAll(connections(machine));
    parts.addAll(JavaMemory.parts(heap(parts), machine));
    return new MemoryPlan(parts, machine);
  }

  private static long heap(List<MemoryPart> parts) {
    return parts.stream()
        .filter(part -> part.area() == MemoryArea.HEAP)
        .mapToLong(MemoryPart::bytes)
        .sum();
  }

  /** Returns the part of the scopes: with rate limits, each of their domains opens one, too. */
  private static MemoryPart detectors(Settings settings) {
    int most = settings.detect().maxScopes();
    int ports = settings.shield() == null ? settings.stores().size() : 1;
    int scopes =
        settings.limits() == null ? Math.min(most, ports + settings.tables().size()) : most;
    long bytes = scopes * ServerScopes.scopeBytes(settings.detect());
    String setting = settings.limits() == null ? "detect.width" : "detect.max_scopes";
    return MemoryPart.heap(DETECT, DETECTORS, bytes, setting);
  }

  private static MemoryPart history() {
    long bytes = HeatHistory.maxBytes() + SeriesRecorder.bytes() + IncidentLog.maxBytes();
    return MemoryPart.heap("history", "rates, charts and incidents", bytes, "");
  }

  private static List<MemoryPart> connections(MachineMemory machine) {
    long arenas =
        Math.min(
            2L * Runtime.getRuntime().availableProcessors(),
            Math.max(1, machine.direct() / CHUNK_BYTES / CHUNKS_OF_DIRECT));
    long held = DataLimits.heldBytes(machine.heap());
    return List.of(
        MemoryPart.heap(CONNECTIONS, "clients", CLIENTS * CONNECTION_BYTES, ""),
        MemoryPart.heap(CONNECTIONS, "calls in progress", CALLS_BYTES, ""),
        MemoryPart.direct(CONNECTIONS, CLIENTS_HELD, held, "-Xmx"),
        MemoryPart.direct(CONNECTIONS, BUFFERS, arenas * CHUNK_BYTES, ""));
  }
}
