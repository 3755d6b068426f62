package io.heatshield.store.memory;

import io.heatshield.store.Value;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a memory engine: keys by their keyed hash, in chains.
 *
 * <p>Any thread may look, without a lock; whoever changes holds the monitor. A look that begins
 * after a change has returned sees it.
 */
final class Shelf {
  /*
   * chains       read: volatile   replaced: volatile, under the monitor
   * chains[i]    read: acquire    write: release, under the monitor
   * value, next  read: acquire    write: release, under the monitor
   *
   * Growing copies the entries, so a look that began on the old chains ends on them and sees what was there when it
   * began; they are never written again. An entry that was taken out keeps its next, so a look that stands on it goes on.
   *
   * A key lies in the chain that the bits of its hash below the shelf's name, highest first. Doubling splits a chain into
   * two neighbours: whoever walks the chains in order, and keeps the hash that it has come to, misses no key however the
   * shelf grows meanwhile. One object per key and none between: a look is the chain, the entry, the key, the value.
   */
  private static final VarHandle CHAIN = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final VarHandle VALUE = handle("value", Value.class);
  private static final VarHandle NEXT = handle("next", Entry.class);
  private static final int FIRST_CHAINS = 16;
  private static final int MOST_CHAINS = 1 << 26;

  private volatile @Nullable Entry[] chains = new @Nullable Entry[FIRST_CHAINS];
  private volatile int size;

  /** One key and what it holds. */
  static final class Entry {
    final long hash;
    final byte[] key;
    private Value value;
    private @Nullable Entry next;

    /** What the value costs; written under the monitor, read by who writes this key. */
    private long valueBytes;

    private boolean ends;

    Entry(long hash, byte[] key, Value value, @Nullable Entry next) {
      this.hash = hash;
      this.key = key;
      this.value = value;
      this.next = next;
      remember(value);
    }

    /** Returns the bytes of the value, without a look at it. */
    long valueBytes() {
      return valueBytes;
    }

    /** Returns whether the value has an end, without a look at it. */
    boolean ends() {
      return ends;
    }

    private void remember(Value now) {
      valueBytes = now.weight();
      ends = now.expires();
    }

    Value value() {
      return (Value) VALUE.getAcquire(this);
    }

    @Nullable Entry next() {
      return (Entry) NEXT.getAcquire(this);
    }
  }

  /** Returns the entry of a key, or null. */
  @Nullable Entry find(long hash, byte[] key) {
    for (Entry e = first(hash); e != null; e = e.next()) {
      if (e.hash == hash && Arrays.equals(e.key, key)) {
        return e;
      }
    }
    return null;
  }

  /** Returns the first entry of the chain that a hash belongs to, or null. */
  @Nullable Entry first(long hash) {
    @Nullable Entry[] all = chains;
    return (Entry) CHAIN.getAcquire(all, chain(hash, all.length));
  }

  /** Sets what a key holds; the key is taken as it is. */
  synchronized void put(long hash, byte[] key, Value value) {
    Entry held = find(hash, key);
    if (held != null) {
      VALUE.setRelease(held, value);
      held.remember(value);
      return;
    }
    int count = size + 1;
    if (count > chains.length && chains.length < MOST_CHAINS) {
      grow();
    }
    @Nullable Entry[] all = chains;
    int at = chain(hash, all.length);
    CHAIN.setRelease(all, at, new Entry(hash, key, value, all[at]));
    size = count;
  }

  /** Takes a key out. */
  synchronized void remove(long hash, byte[] key) {
    @Nullable Entry[] all = chains;
    int at = chain(hash, all.length);
    Entry before = null;
    for (Entry e = all[at]; e != null; before = e, e = e.next) {
      if (e.hash == hash && Arrays.equals(e.key, key)) {
        if (before == null) {
          CHAIN.setRelease(all, at, e.next);
        } else {
          NEXT.setRelease(before, e.next);
        }
        size = size - 1;
        return;
      }
    }
  }

  synchronized void clear() {
    chains = new @Nullable Entry[FIRST_CHAINS];
    size = 0;
  }

  int size() {
    return size;
  }

  int chains() {
    return chains.length;
  }

  /**
   * Shows the entries of one chain.
   *
   * @param from a place in the shelf, of 58 bits: the bits of a hash below the shelf's
   * @return the place at which the next chain begins, or {@link MemoryEngine#PLACES} after the last
   */
  long forEachAt(long from, Consumer<Entry> visitor) {
    @Nullable Entry[] all = chains;
    int shift = MemoryEngine.PLACE_BITS - Integer.numberOfTrailingZeros(all.length);
    long at = from >>> shift;
    for (Entry e = (Entry) CHAIN.getAcquire(all, (int) at); e != null; e = e.next()) {
      visitor.accept(e);
    }
    return (at + 1) << shift;
  }

  private void grow() {
    @Nullable Entry[] old = chains;
    @Nullable Entry[] all = new @Nullable Entry[2 * old.length];
    for (Entry first : old) {
      for (Entry e = first; e != null; e = e.next) {
        int at = chain(e.hash, all.length);
        all[at] = new Entry(e.hash, e.key, e.value, all[at]);
      }
    }
    chains = all;
  }

  private static int chain(long hash, int count) {
    int bits = Integer.numberOfTrailingZeros(count);
    return (int) ((hash << MemoryEngine.SHELF_BITS) >>> (Long.SIZE - bits));
  }

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(Entry.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
