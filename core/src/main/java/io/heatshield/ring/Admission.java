package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides which new keys a full ring admits, and at whose expense.
 *
 * <p>First, expired entries make room. Then the new key must have been refused more often, lately,
 * than the coldest of a few entries was touched. With sampling, a new key that the keyed hash picks
 * is admitted at once. A key that is refused allocates nothing.
 */
final class Admission {
  /*
   * A hand goes round the segments, a block of cells at a time; it is shared, and two threads never
   * get the same block. A key that comes once costs a raise in the sketch and, until the hand has
   * been round once since the last epoch, a look at one block. Only a key that comes back is worth
   * the search for the coldest. See ADR-0012.
   */
  private static final int BLOCK = 16;
  private static final int BLOCKS = 8;
  private static final int ROUNDS = 8;

  private final EntryTable table;
  private final RingConfig config;
  private final Capacity capacity;
  private final Segment[] segments;
  private final AtomicLong hand = new AtomicLong();
  private volatile @Nullable RefusalSketch refusals;
  private volatile long sweptEpoch = -1;
  private volatile long sweptUntil;

  Admission(EntryTable table, RingConfig config, Capacity capacity, Segment[] segments) {
    this.table = table;
    this.config = config;
    this.capacity = capacity;
    this.segments = segments;
  }

  /** Reserves room for a new key of a size in bytes, or returns false if it is refused. */
  boolean admit(long hash, int size, Epoch now) {
    if (capacity.claim(size, now)) {
      return true;
    }
    if (!capacity.canHold(size)) {
      return false;
    }
    reclaim(now, BLOCKS);
    if (capacity.claim(size, now)) {
      return true;
    }
    long evidence = isSampled(hash) ? Long.MAX_VALUE : refusals().raise(hash);
    for (int round = 0; evidence > 1 && round < ROUNDS; round++) {
      Entry coldest = coldest(now);
      if (coldest == null) {
        return false;
      }
      long state = coldest.state();
      if (strength(coldest, coldest.count(state)) >= evidence) {
        return false;
      }
      if (coldest.kill(state)) {
        boolean wasActive = coldest.isActive(now);
        table.displace(coldest, state);
        if (capacity.replace(config.footprint(coldest.key.length), wasActive, size, now)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Takes out expired entries, until there was one or the hand has passed so many blocks. */
  void reclaim(Epoch now, int blocks) {
    if (sweptEpoch != now.number()) {
      sweptUntil = hand.get() + stepsAround();
      sweptEpoch = now.number();
    }
    boolean found = false;
    for (int look = 0; look < blocks && !found && hand.get() - sweptUntil < 0; look++) {
      long step = hand.getAndIncrement();
      for (int i = 0; i < BLOCK; i++) {
        Entry entry = liveAt(step, i);
        found |= entry != null && table.expire(entry, now);
      }
    }
  }

  /** Returns the coldest entry of a few blocks, as of an epoch; null if they are empty. */
  private @Nullable Entry coldest(Epoch now) {
    Entry coldest = null;
    long least = Long.MAX_VALUE;
    int seen = 0;
    for (int look = 0; look < BLOCKS && seen < BLOCK; look++) {
      long step = hand.getAndIncrement();
      for (int i = 0; i < BLOCK && seen < BLOCK; i++) {
        Entry entry = liveAt(step, i);
        if (entry == null) {
          continue;
        }
        seen++;
        table.advance(entry, now);
        long strength = strength(entry, entry.count());
        if (strength < least) {
          least = strength;
          coldest = entry;
        }
      }
    }
    return coldest;
  }

  private @Nullable Entry liveAt(long step, int i) {
    Segment segment = segments[(int) step & (segments.length - 1)];
    return segment.cells().liveAt((int) (step / segments.length) * BLOCK + i);
  }

  /** Returns how many steps of the hand pass every cell. */
  private long stepsAround() {
    int longest = BLOCK;
    for (Segment segment : segments) {
      longest = Math.max(longest, segment.cells().length());
    }
    return (long) segments.length * (longest / BLOCK);
  }

  /** Returns the evidence for an entry: its count, or what let it in if that was more. */
  private long strength(Entry entry, long count) {
    return Math.max(count, refusals().estimate(entry.hash));
  }

  private boolean isSampled(long hash) {
    int bits = config.sampleBits();
    return bits > 0 && ((hash >>> 24) & ((1L << bits) - 1)) == 0;
  }

  private RefusalSketch refusals() {
    RefusalSketch sketch = refusals;
    if (sketch == null) {
      synchronized (this) {
        sketch = refusals;
        if (sketch == null) {
          sketch = new RefusalSketch();
          refusals = sketch;
        }
      }
    }
    return sketch;
  }
}
