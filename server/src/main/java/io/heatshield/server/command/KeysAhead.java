package io.heatshield.server.command;

import io.heatshield.store.GuardedStore;

/**
 * Looks at the first keys of commands that wait for their turn, so that memory is waited for once
 * for all of them and not once for each.
 *
 * <p>It changes nothing and counts nothing: a command that then runs on another store, or not at
 * all, was looked at in vain. For event loops.
 */
public final class KeysAhead {
  private final CommandTable table;

  /** Creates one that knows commands by a table. */
  public KeysAhead(CommandTable table) {
    this.table = table;
  }

  /** Looks at the keys of commands, and returns how many it found. */
  public int look(Session session, byte[][][] commands, int count) {
    GuardedStore store = session.store().store();
    if (!store.isNear()) {
      return 0;
    }
    var read = new byte[count][];
    var written = new byte[count][];
    int reads = 0;
    int writes = 0;
    for (int i = 0; i < count; i++) {
      byte[][] words = commands[i];
      Command command = table.find(words[0]);
      if (command == null || command.firstKey() != 1 || words.length < 2) {
        continue;
      }
      if (command.isWrite()) {
        written[writes++] = words[1];
      } else {
        read[reads++] = words[1];
      }
    }
    return (reads == 0 ? 0 : store.fetch(read, reads, false))
        + (writes == 0 ? 0 : store.fetch(written, writes, true));
  }
}
