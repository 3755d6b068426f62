package io.heatshield.store;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Some of the keys that a local engine holds, so that a write of one need not ask the engine.
 *
 * <p>Any thread may tell that it found a key; only who holds a key's stripe may ask, or tell that
 * it was taken out. What is said to be held is held: two keys would be mistaken for one another
 * only if 112 bits of keyed hashes were equal. Nothing is said of keys that it has forgotten.
 */
final class HeldKeys {
  /*
   * cells      [second hash ^ mixed note, note] for each key, the note being 32 bits of the hash and the epoch
   *            replaced as a whole; elements read and written plainly: the halves of two notes do not make a third that fits a key
   * removals   an epoch for all keys with the same low bits, raised after the engine has taken one of them out
   *
   * Who finds a key has read its epoch before it asked the engine. If the key was taken out since, the epoch was raised
   * after that and before the stripe was let go, so what the finder notes is void when the next one holds the stripe,
   * however late the finder comes. A key lies in one of four cells, 64 bytes. Once half as many keys as there are cells
   * were pushed out, twice as many are made, empty: finding fills them.
   */
  private static final int WAYS = 4;
  private static final int EPOCHS = 1 << 13;
  private static final long MIX = 0x9e3779b97f4a7c15L;
  private static final int CELL_BYTES = 2 * Long.BYTES;
  private static final int FIRST_CELLS = 1 << 10;
  private static final int MOST_CELLS = 1 << 26;

  private final KeyHash second = KeyHash.fast(HashSecret.random());
  private final AtomicIntegerArray removals = new AtomicIntegerArray(EPOCHS);
  private final int mostCells;
  private volatile long[] cells;
  private int pushedOut;

  /** Creates an empty one that grows to at most so many bytes. */
  HeldKeys(long bytes) {
    long most = Math.min(MOST_CELLS, Math.max(WAYS, bytes / CELL_BYTES));
    mostCells = (int) Long.highestOneBit(most);
    cells = new long[2 * Math.min(FIRST_CELLS, mostCells)];
  }

  /** Returns what must be read of a key before the engine is asked for it. */
  int epoch(long hash) {
    return removals.get(epochOf(hash));
  }

  /** Returns all epochs, to be read before the engine is asked for all keys. */
  int[] epochs() {
    int[] all = new int[EPOCHS];
    Arrays.setAll(all, removals::get);
    return all;
  }

  /** Returns which of the epochs is a key's. */
  static int epochOf(long hash) {
    return (int) hash & (EPOCHS - 1);
  }

  /** Notes that the engine held a key after its epoch was read. */
  void found(byte[] key, long hash, int epoch) {
    long note = note(hash, epoch);
    long name = second.hash(key) ^ (note * MIX);
    long[] now = cells;
    int home = home(now, hash);
    int at = home + (2 * ((int) name & (WAYS - 1)));
    for (int i = home; i < home + (2 * WAYS); i += 2) {
      long there = now[i + 1];
      if (there == note && now[i] == name) {
        return;
      }
      if (there >>> Integer.SIZE == note >>> Integer.SIZE || now[i] == 0) {
        at = i;
      }
    }
    if (now[at] != 0 && now.length < 2 * mostCells && ++pushedOut > now.length / WAYS) {
      grow(now);
    }
    now[at] = name;
    now[at + 1] = note;
  }

  /** Returns whether the engine is known to hold a key whose stripe the caller holds. */
  boolean has(byte[] key, long hash) {
    long note = note(hash, epoch(hash));
    long name = second.hash(key) ^ (note * MIX);
    long[] now = cells;
    int home = home(now, hash);
    for (int i = home; i < home + (2 * WAYS); i += 2) {
      if (now[i + 1] == note && now[i] == name) {
        return true;
      }
    }
    return false;
  }

  /** Forgets a key that the engine has, or may have, taken out; the caller holds its stripe. */
  void removed(long hash) {
    removals.incrementAndGet(epochOf(hash));
  }

  /** Forgets all keys; the caller holds all stripes. */
  void cleared() {
    for (int i = 0; i < EPOCHS; i++) {
      removals.incrementAndGet(i);
    }
  }

  long bytes() {
    return (long) Long.BYTES * cells.length;
  }

  private static long note(long hash, int epoch) {
    return (hash & 0xffffffff00000000L) | Integer.toUnsignedLong(epoch);
  }

  private synchronized void grow(long[] from) {
    if (cells == from) {
      cells = new long[2 * from.length];
      pushedOut = 0;
    }
  }

  private static int home(long[] cells, long hash) {
    return ((int) (hash >>> 13) * 2 * WAYS) & (cells.length - 1);
  }
}
