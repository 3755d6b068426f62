package io.heatshield.data.command;

import io.heatshield.store.GuardedStore;
import io.heatshield.store.InlinePath;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first keys of calls that wait for their turn, so that memory is waited for once for
 * all of them and not once for each.
 *
 * <p>It changes nothing and counts nothing: a call that then runs on another store, or not at all,
 * was looked at in vain. A key that follows itself is looked at once, and one alone not at all:
 * there is nothing to wait for beside it. For event loops.
 */
public final class KeysAhead {
  private KeysAhead() {}

  /**
   * Looks at the keys of calls of one client, and returns how many it found.
   *
   * @param count how many of the calls to look at, from the first
   */
  public static int look(Session session, @Nullable Call[] calls, int count) {
    GuardedStore store = session.store().store();
    return store.inline().isPresent()
        ? look(store, calls, count, false) + look(store, calls, count, true)
        : 0;
  }

  private static int look(GuardedStore store, @Nullable Call[] calls, int count, boolean write) {
    byte[][] keys = null;
    long[] hashes = null;
    Call first = null;
    long last = 0;
    int several = 0;
    for (int i = 0; i < count; i++) {
      Call call = calls[i];
      if (call == null || call.count() < 2) {
        continue;
      }
      Command command = call.command();
      if (command.firstKey() != 1 || command.isWrite() != write) {
        continue;
      }
      boolean only = command.onlyKey(call.count()) != 0;
      long hash = only ? call.hash() : store.hash().hash(call.word(1));
      if (first == null) {
        first = call;
        last = hash;
      } else if (hash != last) {
        if (keys == null || hashes == null) {
          keys = new byte[count][];
          hashes = new long[count];
          keys[0] = first.word(1);
          hashes[0] = last;
          several = 1;
        }
        keys[several] = call.word(1);
        hashes[several++] = hash;
        last = hash;
      }
    }
    InlinePath inline = store.inline().orElse(null);
    return keys == null || hashes == null || inline == null
        ? 0
        : inline.fetch(keys, hashes, several, write);
  }
}
