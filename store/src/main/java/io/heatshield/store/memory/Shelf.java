package io.heatshield.store.memory;

import io.heatshield.store.engine.Value;
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
   * next         read: acquire    write: release, under the monitor
   * content      read: acquire    write: volatile, by who alone may write this key at that time
   * growing      volatile; written under the monitor
   *
   * Growing copies the entries, so a look that began on the old chains ends on them and sees what was there when it
   * began. An entry that was taken out keeps its next, so a look that stands on it goes on.
   *
   * Overwriting takes no monitor: it writes the content and then looks whether the shelf grows or has grown, while
   * growing says so before it reads the first content. One of the two sees the other; if it is who overwrites, it does so
   * again under the monitor. Pinned by ShelfTest.
   *
   * A key lies in the chain that the bits of its hash below the shelf's name, highest first. Doubling splits a chain into
   * two neighbours: whoever walks the chains in order, and keeps the hash that it has come to, misses no key however the
   * shelf grows meanwhile. One object per key and none between: a look is the chain, the entry, the key, the bytes;
   * only what is not plain bytes without an end is a value of its own.
   */
  private static final VarHandle CHAIN = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final VarHandle CONTENT = handle("content", Object.class);
  private static final VarHandle NEXT = handle("next", Entry.class);
  private static final int FIRST_CHAINS = 16;
  private static final int MOST_CHAINS = 1 << 26;

  private volatile @Nullable Entry[] chains = new @Nullable Entry[FIRST_CHAINS];
  private volatile int size;
  private volatile boolean growing;

  /** One key and what it holds. */
  static final class Entry {
    final long hash;
    final byte[] key;

    @SuppressWarnings("UnusedVariable") // Read through CONTENT.
    private Object content;

    private @Nullable Entry next;

    /** What the content costs; written and read by who writes this key. */
    private long contentBytes;

    private boolean ends;

    Entry(long hash, byte[] key, Object content, @Nullable Entry next) {
      this.hash = hash;
      this.key = key;
      this.content = content;
      this.next = next;
      remember(content);
    }

    /** Returns what the content costs, without a look at it. */
    long contentBytes() {
      return contentBytes;
    }

    /** Returns whether the value has an end, without a look at it. */
    boolean ends() {
      return ends;
    }

    private void remember(Object now) {
      contentBytes = MemoryEngine.contentBytes(now);
      ends = now instanceof Value value && value.expires();
    }

    private void set(Object now) {
      CONTENT.setVolatile(this, now);
      remember(now);
    }

    /** Returns the value, or its bytes alone if they are plain and without an end. */
    Object content() {
      return CONTENT.getAcquire(this);
    }

    Value value() {
      Object now = content();
      return now instanceof byte[] plain ? Value.of(plain) : (Value) now;
    }

    @Nullable Entry next() {
      return (Entry) NEXT.getAcquire(this);
    }
  }

  /** Returns the entry of a key, or null. */
  @Nullable Entry find(long hash, byte[] key) {
    return find(chains, hash, key);
  }

  /** Returns the chains as they are now. */
  @Nullable Entry[] chains() {
    return chains;
  }

  /** Returns the entry of a key in chains, or null. */
  static @Nullable Entry find(@Nullable Entry[] all, long hash, byte[] key) {
    Entry first = (Entry) CHAIN.getAcquire(all, chain(hash, all.length));
    for (Entry e = first; e != null; e = e.next()) {
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

  /**
   * Sets what a key holds; the key is taken as it is. Nobody else may put or remove it meanwhile.
   *
   * @param content a value, or its bytes alone if they are plain and without an end
   */
  synchronized void put(long hash, byte[] key, Object content) {
    Entry held = find(hash, key);
    if (held != null) {
      held.set(content);
      return;
    }
    int count = size + 1;
    if (count > chains.length && chains.length < MOST_CHAINS) {
      grow();
    }
    @Nullable Entry[] all = chains;
    int at = chain(hash, all.length);
    CHAIN.setRelease(all, at, new Entry(hash, key, content, all[at]));
    size = count;
  }

  /**
   * Sets what a key holds if the chains are still those that its entry was found in; otherwise it
   * is to be put. Nobody else may put or remove it meanwhile.
   */
  @SuppressWarnings("ReferenceEquality")
  boolean overwrite(@Nullable Entry[] seen, Entry held, Object content) {
    held.set(content);
    return !growing && chains == seen;
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

  int chainCount() {
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
    growing = true;
    @Nullable Entry[] old = chains;
    @Nullable Entry[] all = new @Nullable Entry[2 * old.length];
    for (Entry first : old) {
      for (Entry e = first; e != null; e = e.next) {
        int at = chain(e.hash, all.length);
        all[at] = new Entry(e.hash, e.key, CONTENT.getVolatile(e), all[at]);
      }
    }
    chains = all;
    growing = false;
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
