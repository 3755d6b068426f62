package io.heatshield.server.memory;

import io.heatshield.data.store.ServerStores;
import io.heatshield.data.store.StoreMemoryParts;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.rls.ServerLimits;
import io.heatshield.rls.table.ServerTables;
import io.heatshield.rls.table.TableMemory;
import io.heatshield.runtime.memory.ProcessMemory;
import io.heatshield.shield.Shield;
import java.util.Map;
import java.util.function.LongSupplier;

/** Adds what the components of a server use to its {@link ServerMemory}. */
public final class MemorySources {
  private final ServerMemory memory;

  /** Creates the sources of a server. */
  public MemorySources(ServerMemory memory) {
    this.memory = memory;
  }

  /** Adds the detectors of all scopes. */
  public void add(ServerScopes scopes) {
    memory.addSource(PlannedMemory.DETECT, () -> Map.of(PlannedMemory.DETECTORS, scopes.bytes()));
  }

  /** Adds all stores. */
  public void add(ServerStores stores) {
    stores
        .all()
        .forEach(
            (name, store) ->
                memory.addSource("store " + name, () -> StoreMemoryParts.used(store.stats())));
  }

  /** Adds the tables that exist now. */
  public void add(ServerTables tables) {
    tables
        .all()
        .forEach(
            table -> {
              String name = table.settings().name();
              memory.addSource(
                  "table " + name, () -> tables.find(name).map(TableMemory::used).orElse(Map.of()));
            });
  }

  /** Adds the rate limits. */
  public void add(ServerLimits limits) {
    memory.addSource("limits", limits::usedBytes);
  }

  /** Adds the shield. */
  public void add(Shield shield) {
    memory.addSource("shield", shield::usedBytes);
  }

  /** Adds the buffers of connections, given the bytes of commands and replies that are held. */
  public void addConnections(LongSupplier held) {
    memory.addSource(
        PlannedMemory.CONNECTIONS,
        () ->
            Map.of(
                PlannedMemory.CLIENTS_HELD,
                held.getAsLong(),
                PlannedMemory.BUFFERS,
                ProcessMemory.networkBuffers()));
  }
}
