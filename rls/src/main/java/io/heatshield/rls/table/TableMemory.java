package io.heatshield.rls.table;

import io.heatshield.config.settings.TableSettings;
import io.heatshield.contest.HeavyHitters;
import io.heatshield.contest.HeavyHittersStats;
import io.heatshield.runtime.memory.MemoryPart;
import java.util.List;
import java.util.Map;

/** Computes the memory of a table of clients from its settings. */
public final class TableMemory {
  private static final String CLIENTS = "clients";
  private static final String BLOCKS = "blocks";

  /** The length of a client's name for which a table is planned, in bytes. */
  static final int NAME_BYTES = 128;

  private TableMemory() {}

  /** Returns the parts of a table. Blocks are kept twice: those in force and those observed. */
  public static List<MemoryPart> parts(TableSettings settings) {
    String owner = "table " + settings.name();
    String path = "tables[" + settings.name() + "].";
    long slot = TableFactory.builder(settings).entryBytes(NAME_BYTES);
    long blocks = 2L * settings.maxBlocks() * HeavyHitters.blockBytes(NAME_BYTES);
    return List.of(
        MemoryPart.heap(owner, CLIENTS, settings.slots() * slot, path + "slots"),
        MemoryPart.heap(owner, BLOCKS, blocks, path + "max_blocks"));
  }

  /** Returns the bytes of the clients and blocks of a table, by the names of the parts. */
  public static Map<String, Long> used(ClientTable table) {
    HeavyHittersStats stats = table.clients().stats();
    long blocks = stats.blocks().size() + stats.observedBlocks();
    return Map.of(
        CLIENTS, stats.keys().size() * table.clients().entryBytes(NAME_BYTES),
        BLOCKS, blocks * HeavyHitters.blockBytes(NAME_BYTES));
  }
}
