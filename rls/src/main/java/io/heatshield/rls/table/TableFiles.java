package io.heatshield.rls.table;

import io.heatshield.contest.HeavyHitters;
import io.heatshield.runtime.state.StateFolder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves and loads tables and their blocks in the state folder.
 *
 * <p>A file that is incomplete, damaged or of another secret is renamed, and the table begins
 * empty: it must not prevent the start of a server.
 */
final class TableFiles {
  private static final Logger log = LoggerFactory.getLogger(TableFiles.class);

  private final StateFolder folder;
  private final Clock clock;
  private final LongAdder failures = new LongAdder();

  /** Reads one file. */
  @FunctionalInterface
  private interface Reading {
    void from(InputStream in) throws IOException;
  }

  TableFiles(StateFolder folder, Clock clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /** Restores the saved clients of a table, and its blocks for the rest of their times. */
  void restore(String table, HeavyHitters clients) {
    read(clientsOf(table), in -> clients.restoreKeys(in, clock.instant()));
    read(
        blocksOf(table),
        in -> {
          int left = clients.restoreBlocks(in, clock.instant());
          if (left > 0) {
            log.warn("{} saved blocks of table {} do not fit and are dropped", left, table);
          }
        });
  }

  /** Saves a table as it is now; if this fails, logs it and leaves the files as they were. */
  void save(ClientTable table) {
    try {
      write(table);
    } catch (IOException e) {
      log.error(
          "table {} could not be saved: {}",
          table.settings().name(),
          String.valueOf(e.getMessage()));
    }
  }

  /**
   * Saves a table as it is now.
   *
   * @throws IOException if it could not be saved; the files stay as they were
   */
  void write(ClientTable table) throws IOException {
    String name = table.settings().name();
    try {
      // Blocks first: they are few, and losing them is worse than losing counts.
      HeavyHitters clients = table.clients();
      folder.replace(blocksOf(name), out -> clients.writeBlocksTo(out, clock.instant()));
      folder.replace(clientsOf(name), out -> clients.writeKeysTo(out, clock.instant()));
    } catch (IOException e) {
      failures.increment();
      throw e;
    }
  }

  /** Returns how often saving a table failed. */
  long failures() {
    return failures.sum();
  }

  private void read(String file, Reading reading) {
    try (InputStream in = folder.open(file).map(BufferedInputStream::new).orElse(null)) {
      if (in != null) {
        reading.from(in);
      }
      return;
    } catch (IOException e) {
      log.error("table file {} is renamed and not used: {}", file, String.valueOf(e.getMessage()));
    }
    try {
      folder.putAside(file);
    } catch (IOException e) {
      log.error("table file {} could not be renamed: {}", file, String.valueOf(e.getMessage()));
    }
  }

  private static String clientsOf(String table) {
    return "table-" + table + ".clients";
  }

  private static String blocksOf(String table) {
    return "table-" + table + ".blocks";
  }
}
