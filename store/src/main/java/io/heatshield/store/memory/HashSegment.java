package io.heatshield.store.memory;

import io.heatshield.store.engine.StructureValues;
import io.heatshield.store.engine.Value;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A segment of the hash table of a memory engine, with chained entries.
 *
 * <p>Any thread may read without a lock; writers hold the monitor. A read that begins after a write
 * has returned sees it.
 */
final class HashSegment {
  /*
   * chains       read: volatile   replaced: volatile, under the monitor
   * chains[i]    read: acquire    write: release, under the monitor
   * next         read: acquire    write: release, under the monitor
   * content      read: acquire    write: volatile, by the only thread that may write this key then
   * growing      volatile; written under the monitor
   *
   * Growing copies the entries, so a read that began on the old chains ends on them and sees the
   * contents as of its start. A removed entry keeps its next, so a reader on it continues.
   *
   * overwrite() takes no monitor: it writes the content and then checks whether the segment is
   * growing or has grown, and grow() sets the flag before it reads the first content. So one of the
   * two sees the other. If the writer sees the growth, it writes again under the monitor. Pinned by
   * HashSegmentTest.
   *
   * The chain of a key is given by the bits of its hash below those that select the segment,
   * highest first. Doubling splits a chain into two neighbours, so a walk over the chains in order
   * that remembers the hash it has reached misses no key when the segment grows. There is one
   * object per key: a lookup reads the chain, the entry, the key and the bytes. Only a value that
   * is not plain bytes without an expiry is a separate object.
   */
  private static final VarHandle CHAIN = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final VarHandle CONTENT = handle("content", Object.class);
  private static final VarHandle NEXT = handle("next", Entry.class);
  private static final int INITIAL_CHAINS = 16;
  private static final int MAX_CHAINS = 1 << 26;

  private volatile @Nullable Entry[] chains = new @Nullable Entry[INITIAL_CHAINS];
  private volatile int size;
  private volatile boolean growing;

  /** One key and its value. */
  static final class Entry {
    final long hash;
    final byte[] key;

    @SuppressWarnings("UnusedVariable") // Read through CONTENT.
    private Object content;

    private @Nullable Entry next;

    /** The cost of the content; used only by the thread that writes this key. */
    private long contentBytes;

    private boolean expires;

    Entry(long hash, byte[] key, Object content, @Nullable Entry next) {
      this.hash = hash;
      this.key = key;
      this.content = content;
      this.next = next;
      remember(content);
    }

    /** Returns the cost of the content, without reading the content. */
    long contentBytes() {
      return contentBytes;
    }

    /** Returns whether the value expires, without reading the content. */
    boolean expires() {
      return expires;
    }

    private void remember(Object now) {
      contentBytes = EntryCost.ofContent(now);
      expires = now instanceof Value value && value.expires();
    }

    private void set(Object now) {
      CONTENT.setVolatile(this, now);
      remember(now);
    }

    /** Returns the value, or only its bytes if they are plain and do not expire. */
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

  /** Returns the current chains. */
  @Nullable Entry[] chains() {
    return chains;
  }

  /** Returns the entry of a key in these chains, or null. */
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
   * Sets the content of a key, which is not copied. No other thread may write the key meanwhile.
   *
   * @param content a value, or only its bytes if they are plain and do not expire
   */
  synchronized void put(long hash, byte[] key, Object content) {
    Entry held = find(hash, key);
    if (held != null) {
      held.set(content);
      return;
    }
    int count = size + 1;
    if (count > chains.length && chains.length < MAX_CHAINS) {
      grow();
    }
    @Nullable Entry[] all = chains;
    int at = chain(hash, all.length);
    CHAIN.setRelease(all, at, new Entry(hash, key, content, all[at]));
    size = count;
  }

  /**
   * Sets the content of a key; returns false if the chains are no longer those that its entry was
   * found in, so that the caller must {@link #put}. No other thread may write the key meanwhile.
   */
  @SuppressWarnings("ReferenceEquality")
  boolean overwrite(@Nullable Entry[] seen, Entry held, Object content) {
    held.set(content);
    return !growing && chains == seen;
  }

  /** Removes a key. */
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
    chains = new @Nullable Entry[INITIAL_CHAINS];
    size = 0;
  }

  int size() {
    return size;
  }

  int chainCount() {
    return chains.length;
  }

  /**
   * Visits the entries of one chain.
   *
   * @param from a place in the segment: the 58 bits of a hash below those of the segment
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

  /** Returns the content of an entry for a value: only the bytes if plain and without expiry. */
  static Object content(Value value) {
    boolean isPlain =
        value.type() == Value.STRING
            && StructureValues.structure(value) == null
            && !value.expires();
    return isPlain ? value.bytes() : value;
  }

  private static int chain(long hash, int count) {
    int bits = Integer.numberOfTrailingZeros(count);
    return (int) ((hash << MemoryEngine.SEGMENT_BITS) >>> (Long.SIZE - bits));
  }

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(Entry.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
