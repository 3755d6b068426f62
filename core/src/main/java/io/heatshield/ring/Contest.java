package io.heatshield.ring;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How a newcomer wins a place in a full ring.
 *
 * <p>First, entries that have run out give theirs. Then the newcomer must have been refused more
 * often, lately, than the coldest of a few entries was touched. With sampling, a newcomer that the
 * keyed hash picks wins at once. Whoever loses is dropped, without an allocation.
 */
final class Contest {
  /*
   * A hand goes round the segments, a block of cells at a time; it is shared, and two threads never get the same block.
   * One-touch junk costs a raise in the sketch and, until the hand has been round once since the last beat, a look at
   * one block. Only a key that comes back is worth the look for the coldest. See ADR-0012.
   */
  private static final int BLOCK = 16;
  private static final int LOOKS = 8;
  private static final int ROUNDS = 8;

  private final KeyTable table;
  private final RingConfig config;
  private final Places places;
  private final AtomicLong hand = new AtomicLong();
  private volatile @Nullable Refused refused;
  private volatile long sweptBeat = -1;
  private volatile long sweptUntil;

  Contest(KeyTable table, RingConfig config, Places places) {
    this.table = table;
    this.config = config;
    this.places = places;
  }

  /** Tries to win a place of a size in bytes. */
  boolean win(long hash, int size, Moment moment) {
    if (!places.canHold(size)) {
      return false;
    }
    reclaim(moment, LOOKS);
    if (places.claim(size, moment)) {
      return true;
    }
    long evidence = isPicked(hash) ? Long.MAX_VALUE : refused().raise(hash);
    for (int round = 0; evidence > 1 && round < ROUNDS; round++) {
      Entry coldest = coldest(moment);
      if (coldest == null) {
        return false;
      }
      long state = coldest.state();
      if (strength(coldest, coldest.count(state)) >= evidence) {
        return false;
      }
      if (coldest.kill(state)) {
        boolean wasActive = coldest.isActive(moment);
        table.displaced(coldest, state);
        if (places.pass(config.footprint(coldest.key.length), wasActive, size, moment)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Takes out what has run out, until there was something or the hand has seen enough. */
  void reclaim(Moment moment, int blocks) {
    if (sweptBeat != moment.beat()) {
      sweptUntil = hand.get() + table.turnsAround(BLOCK);
      sweptBeat = moment.beat();
    }
    boolean found = false;
    for (int look = 0; look < blocks && !found && hand.get() - sweptUntil < 0; look++) {
      long turn = hand.getAndIncrement();
      Segment segment = table.segmentOfTurn(turn);
      for (int i = 0; i < BLOCK; i++) {
        Entry entry = segment.cells().liveAt(table.cellOfTurn(turn, BLOCK) + i);
        found |= entry != null && table.expire(entry, moment);
      }
    }
  }

  /** Returns the coldest entry of a few blocks, brought to the moment; null if they are empty. */
  private @Nullable Entry coldest(Moment moment) {
    Entry coldest = null;
    long least = Long.MAX_VALUE;
    int seen = 0;
    for (int look = 0; look < LOOKS && seen < BLOCK; look++) {
      long turn = hand.getAndIncrement();
      Segment segment = table.segmentOfTurn(turn);
      for (int i = 0; i < BLOCK && seen < BLOCK; i++) {
        Entry entry = segment.cells().liveAt(table.cellOfTurn(turn, BLOCK) + i);
        if (entry == null) {
          continue;
        }
        seen++;
        table.bringTo(entry, moment);
        long strength = strength(entry, entry.count());
        if (strength < least) {
          least = strength;
          coldest = entry;
        }
      }
    }
    return coldest;
  }

  /** Returns what an entry has to show: its count, or what let it in if that was more. */
  private long strength(Entry entry, long count) {
    return Math.max(count, refused().look(entry.hash));
  }

  private boolean isPicked(long hash) {
    int bits = config.sampleBits();
    return bits > 0 && ((hash >>> 24) & ((1L << bits) - 1)) == 0;
  }

  private Refused refused() {
    Refused sketch = refused;
    if (sketch == null) {
      synchronized (this) {
        sketch = refused;
        if (sketch == null) {
          sketch = new Refused();
          refused = sketch;
        }
      }
    }
    return sketch;
  }
}
