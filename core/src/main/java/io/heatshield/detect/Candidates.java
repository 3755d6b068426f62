package io.heatshield.detect;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The bounded table of the keys with the highest estimates.
 *
 * <p>A key wins a place while there is room, or by an estimate 1/8 above that of the weakest
 * tracked key that is not hot; a hot key is never displaced. The table has at most {@code capacity}
 * keys and 64 bytes of key text for each, which the keys share: a longer key may use what shorter
 * ones do not need. A key that does not fit is truncated, never to less than 64 bytes.
 */
final class Candidates {
  /*
   * index      volatile; an immutable hash table with linear probing that is replaced as a whole.
   *            A touch looks its key up under a stripe's lock, see DetectorStripes.reset.
   * bar        volatile; the sum that a key must have to contest a place
   * changing   the lock of a change; a thread that does not get it does not wait
   *
   * Ranks are refreshed at the end of a pane. Until then they can only be too low, since counts
   * grow, so a contest refreshes the weakest few before it compares. The margin of 1/8 keeps keys
   * of nearly equal rates from displacing each other repeatedly.
   */
  private static final int BYTES_PER_KEY = 64;
  private static final int REFRESHES = 4;
  private static final int MARGIN_SHIFT = 3;

  private final int capacity;
  private final int keyBytes;
  private final DetectorStripes stripes;
  private final AtomicBoolean changing = new AtomicBoolean();
  private final LongAdder admissions = new LongAdder();
  private final LongAdder drops = new LongAdder();
  private volatile Index index;
  private volatile long bar = 1;
  private long usedBytes;

  Candidates(int capacity, DetectorStripes stripes) {
    this.capacity = capacity;
    this.keyBytes = capacity * BYTES_PER_KEY;
    this.stripes = stripes;
    this.index = new Index(List.of(), capacity);
  }

  static int capacity(int topK) {
    return Math.max(64, 4 * topK);
  }

  /** Returns the candidate of a key, if it has a place. */
  @Nullable Candidate find(long hash) {
    return index.find(hash);
  }

  List<Candidate> all() {
    return index.all;
  }

  /** Returns the sum that a key must have to contest a place. */
  long bar() {
    return bar;
  }

  /** Returns whether a key may win a place, by the estimate of one stripe. */
  boolean mayContest(long own) {
    return own * stripes.count() >= bar;
  }

  boolean isFull() {
    return index.all.size() >= capacity;
  }

  long admissions() {
    return admissions.sum();
  }

  long drops() {
    return drops.sum();
  }

  /**
   * Gives a key a place if its estimate wins one.
   *
   * @param urgent whether the key is hot or early, which wins over every key that is cool
   */
  @Nullable Candidate admit(
      long hash, Object key, long estimate, Pane pane, long now, boolean urgent) {
    if (!changing.compareAndSet(false, true)) {
      drops.increment();
      return null;
    }
    try {
      Candidate kept = index.find(hash);
      if (kept != null) {
        return kept;
      }
      var all = new ArrayList<Candidate>(index.all);
      if (isFull() && !evictWeakerThan(estimate, pane, urgent, all)) {
        return null;
      }
      return place(hash, key, estimate, now, all);
    } finally {
      changing.set(false);
    }
  }

  /** Refreshes all ranks and removes keys without touches in the window. */
  void refresh(Pane pane) {
    if (!changing.compareAndSet(false, true)) {
      return;
    }
    try {
      var kept = new ArrayList<Candidate>(index.all);
      for (Candidate candidate : index.all) {
        candidate.rank = stripes.sum(candidate.hash, pane.epoch);
        if (candidate.rank == 0 && candidate.leave()) {
          kept.remove(candidate);
          usedBytes -= candidate.key.keptBytes();
        }
      }
      publish(kept);
    } finally {
      changing.set(false);
    }
  }

  /** Removes a weaker key, if there is one, from the table and from a list of the tracked keys. */
  private boolean evictWeakerThan(long estimate, Pane pane, boolean urgent, List<Candidate> kept) {
    for (int i = 0; i < REFRESHES; i++) {
      Candidate weakest = weakest();
      if (weakest == null) {
        return false;
      }
      long rank = stripes.sum(weakest.hash, pane.epoch);
      boolean stale = rank > weakest.rank;
      weakest.rank = rank;
      long least = urgent ? rank : rank + (rank >> MARGIN_SHIFT);
      // The count of an early key is still low.
      boolean wins = estimate > least || (urgent && weakest.isCool());
      if (wins && weakest.leave()) {
        kept.remove(weakest);
        usedBytes -= weakest.key.keptBytes();
        publish(kept);
        return true;
      }
      if (!stale) {
        break;
      }
    }
    setBar();
    return false;
  }

  private @Nullable Candidate weakest() {
    Candidate weakest = null;
    for (Candidate candidate : index.all) {
      if (candidate.isDisplaceable() && (weakest == null || candidate.rank < weakest.rank)) {
        weakest = candidate;
      }
    }
    return weakest;
  }

  private Candidate place(long hash, Object key, long estimate, long now, List<Candidate> kept) {
    boolean[] taken = new boolean[capacity];
    kept.forEach(candidate -> taken[candidate.number] = true);
    int number = 0;
    while (taken[number]) {
      number++;
    }
    makeRoom(kept);
    StoredKey stored = StoredKey.copyOf(key, hash, (int) (keyBytes - usedBytes));
    usedBytes += stored.keptBytes();
    stripes.reset(number, now);
    var candidate = new Candidate(hash, number, stored, now);
    candidate.rank = estimate;
    kept.add(candidate);
    admissions.increment();
    publish(kept);
    return candidate;
  }

  /** Truncates long keys, cool ones first, until there are enough bytes for one more key. */
  private void makeRoom(List<Candidate> kept) {
    for (int pass = 0; pass < 2; pass++) {
      boolean alsoHot = pass == 1;
      for (Candidate candidate : kept) {
        if (keyBytes - usedBytes >= BYTES_PER_KEY) {
          return;
        }
        int over = candidate.key.keptBytes() - BYTES_PER_KEY;
        if (over > 0 && (alsoHot || !candidate.isHot())) {
          candidate.key = candidate.key.truncatedTo(BYTES_PER_KEY);
          usedBytes -= over;
        }
      }
    }
  }

  private void publish(List<Candidate> kept) {
    index = new Index(kept, capacity);
    setBar();
  }

  private void setBar() {
    Candidate weakest = isFull() ? weakest() : null;
    if (!isFull()) {
      bar = 1;
    } else if (weakest == null) {
      bar = Long.MAX_VALUE / 2;
    } else {
      bar = weakest.rank + (weakest.rank >> MARGIN_SHIFT) + 1;
    }
  }

  /** Returns the most bytes of a table: keys, index and verdicts. */
  static long bytes(int capacity) {
    long candidate = 56 + 32 + 72 + 16;
    return capacity * (candidate + BYTES_PER_KEY)
        + Index.tableLength(capacity) * 4L
        + capacity * 4L
        + 256;
  }

  /** The tracked keys by hash; immutable. */
  private static final class Index {
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final List<Candidate> all;
    private final @Nullable Candidate[] table;
    private final int shift;

    Index(List<Candidate> kept, int capacity) {
      all = List.copyOf(kept);
      table = new Candidate[tableLength(capacity)];
      shift = Long.numberOfLeadingZeros(table.length - 1);
      for (Candidate candidate : all) {
        table[slot(candidate.hash)] = candidate;
      }
    }

    @Nullable Candidate find(long hash) {
      return table[slot(hash)];
    }

    /** Returns the slot of a hash, or the free slot where a search for it ends. */
    private int slot(long hash) {
      int slot = (int) ((hash * SPREAD) >>> shift);
      Candidate found = table[slot];
      while (found != null && found.hash != hash) {
        slot = (slot + 1) & (table.length - 1);
        found = table[slot];
      }
      return slot;
    }

    /** Returns a power of two of at least twice the capacity, so that searches are short. */
    static int tableLength(int capacity) {
      return Integer.highestOneBit(4 * capacity - 1);
    }
  }
}
