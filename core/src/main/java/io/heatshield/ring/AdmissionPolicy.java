package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a full ring admits a new key, and which entry it evicts for it.
 *
 * <p>Expired entries are removed first. If there are none, the new key is admitted only if it was
 * refused more often, lately, than the coldest of a few entries was touched. With sampling, a new
 * key that its keyed hash selects is admitted without this comparison. A refused key allocates
 * nothing.
 */
final class AdmissionPolicy {
  /*
   * position       AtomicLong: the number of the next block of cells to scan
   * reclaimEpoch   read and written: volatile
   * reclaimEnd     read and written: volatile, before reclaimEpoch
   * refusals       read: volatile   written: once, volatile, under the monitor
   *
   * All threads share one scan position, and no two threads get the same number. Consecutive
   * numbers visit the segments in turn. In each epoch, the search for expired entries visits every
   * cell once; threads that race to start it only make it a little longer.
   *
   * A key that comes once costs one addition to the sketch and, until the search has ended, the
   * scan of a few blocks. Only a key that comes back makes the ring search for its coldest entry.
   * Pinned by HotRingCapTest and HotRingThreadsTest; see ADR-0012.
   */
  private static final int BLOCK_CELLS = 16;
  private static final int MAX_BLOCKS = 8;
  private static final int CANDIDATES = 16;
  private static final int MAX_ATTEMPTS = 8;

  private final EntryTable table;
  private final RingConfig config;
  private final Capacity capacity;
  private final Segment[] segments;
  private final AtomicLong position = new AtomicLong();
  private volatile @Nullable RefusalSketch refusals;
  private volatile long reclaimEpoch = -1;
  private volatile long reclaimEnd;

  AdmissionPolicy(EntryTable table, RingConfig config, Capacity capacity, Segment[] segments) {
    this.table = table;
    this.config = config;
    this.capacity = capacity;
    this.segments = segments;
  }

  /** Reserves room for an entry of a new key, or returns false if the key is refused. */
  boolean admit(long hash, int bytes, Epoch now) {
    if (capacity.reserve(bytes, now)) {
      return true;
    }
    if (!capacity.canHold(bytes)) {
      return false;
    }
    reclaim(now, MAX_BLOCKS);
    if (capacity.reserve(bytes, now)) {
      return true;
    }
    long score = isSampled(hash) ? Long.MAX_VALUE : refusals().add(hash);
    return score > 1 && evictColder(score, bytes, now);
  }

  /** Removes expired entries: scans at most {@code blocks}, and ends after one with a removal. */
  void reclaim(Epoch now, int blocks) {
    if (reclaimEpoch != now.number()) {
      reclaimEnd = position.get() + blocksOfAllSegments();
      reclaimEpoch = now.number();
    }
    boolean removed = false;
    for (int i = 0; i < blocks && !removed && position.get() - reclaimEnd < 0; i++) {
      long block = position.getAndIncrement();
      for (int cell = 0; cell < BLOCK_CELLS; cell++) {
        Entry entry = liveAt(block, cell);
        removed |= entry != null && table.removeIfExpired(entry, now);
      }
    }
  }

  /** Evicts an entry with a lower score, and passes its room to a new entry. */
  private boolean evictColder(long score, int bytes, Epoch now) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Entry coldest = coldest(now);
      if (coldest == null) {
        return false;
      }
      long state = coldest.state();
      if (score(coldest, coldest.count(state)) >= score) {
        return false;
      }
      // Fails if the entry was touched since its score was computed.
      if (coldest.markDead(state)) {
        boolean wasActive = coldest.isActive(now);
        table.evict(coldest, state);
        if (capacity.replace(config.entryBytes(coldest.key.length), wasActive, bytes, now)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the entry with the lowest score in the next few blocks, or null if they are empty. */
  private @Nullable Entry coldest(Epoch now) {
    Entry coldest = null;
    long lowest = Long.MAX_VALUE;
    int candidates = 0;
    for (int i = 0; i < MAX_BLOCKS && candidates < CANDIDATES; i++) {
      long block = position.getAndIncrement();
      for (int cell = 0; cell < BLOCK_CELLS && candidates < CANDIDATES; cell++) {
        Entry entry = liveAt(block, cell);
        if (entry == null) {
          continue;
        }
        candidates++;
        table.advance(entry, now);
        long score = score(entry, entry.count());
        if (score < lowest) {
          lowest = score;
          coldest = entry;
        }
      }
    }
    return coldest;
  }

  private @Nullable Entry liveAt(long block, int cell) {
    Segment segment = segments[(int) block & (segments.length - 1)];
    return segment.cells().liveAt((int) (block / segments.length) * BLOCK_CELLS + cell);
  }

  /** Returns how many blocks must be scanned to visit every cell of the largest segment. */
  private long blocksOfAllSegments() {
    int longest = BLOCK_CELLS;
    for (Segment segment : segments) {
      longest = Math.max(longest, segment.cells().length());
    }
    return (long) segments.length * (longest / BLOCK_CELLS);
  }

  /**
   * Returns the score of an entry: its count or, if that is more, the recent refusals of its key.
   * The count of a new entry begins with 1, so by its count alone the next key would evict it.
   */
  private long score(Entry entry, long count) {
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
