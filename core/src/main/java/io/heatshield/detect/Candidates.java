package io.heatshield.detect;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The bounded table of the keys with the highest estimates.
 *
 * <p>A key wins a place while there is room, or by an estimate 1/8 above that of the weakest kept
 * key that is not hot; a hot key is never displaced. At most {@code capacity} keys are kept, and of
 * their bytes 64 for each place, which the keys share: longer keys have what shorter ones leave. A
 * key that does not fit is kept by its beginning, and never by less than 64 bytes.
 */
final class Candidates {
  /*
   * index      volatile; replaced as a whole, see SlotIndex
   * bar        volatile; what a key's sum must reach before a place is worth contesting
   * admitAt    volatile; the same for one stripe's estimate: a key whose sum reaches the bar has at least a stripes' part
   *            of it in one stripe
   * changing   the lock of a change: tried, never waited for, so a touch that finds it taken goes on
   *
   * Between contests the kept ranks are old, and only too low within a pane, since counts grow; a contest refreshes the
   * weakest few before it believes them. The margin of 1/8 keeps keys of nearly equal rates from changing places, each
   * time at the price of a copy.
   */
  private static final int BYTES_PER_KEY = 64;
  private static final int REFRESHES = 4;
  private static final int MARGIN_SHIFT = 3;

  private final int capacity;
  private final int keyBytes;
  private final Stripes stripes;
  private final Budgets budgets;
  private final AtomicBoolean changing = new AtomicBoolean();
  private final LongAdder drops = new LongAdder();
  private volatile SlotIndex<Candidate> index;
  private volatile long bar = 1;
  private volatile long admitAt = 1;
  private volatile long admissions;
  private long usedBytes;
  private int publications;

  Candidates(int capacity, Stripes stripes, Budgets budgets) {
    this.capacity = capacity;
    this.keyBytes = capacity * BYTES_PER_KEY;
    this.stripes = stripes;
    this.budgets = budgets;
    this.index = new SlotIndex<>(List.of(), 0, capacity, 0, Candidate.NOBODY);
  }

  static int capacity(int topK) {
    return Math.max(64, 4 * topK);
  }

  @Nullable Candidate find(long hash) {
    return index.find(hash);
  }

  /** Returns the present index; the generation of its 0 changes with everything that is kept. */
  SlotIndex<Candidate> index() {
    return index;
  }

  List<Candidate> all() {
    return index.all();
  }

  /** Returns what a stripe's estimate must reach to contest a place. */
  long admitAt() {
    return admitAt;
  }

  /** Returns what a key's sum must reach to contest a place. */
  long bar() {
    return bar;
  }

  boolean isFull() {
    return index.size() >= capacity;
  }

  long admissions() {
    return admissions;
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
      var all = new ArrayList<Candidate>(index.all());
      if (isFull() && !evictWeakerThan(estimate, pane, urgent, all)) {
        return null;
      }
      try {
        return place(hash, key, estimate, now, all);
      } catch (RuntimeException e) {
        // A key that cannot be copied: whoever gave way for it has left.
        publish(all);
        throw e;
      }
    } finally {
      changing.set(false);
    }
  }

  /** Refreshes every rank and gives up keys that the window no longer holds. */
  void refresh(Pane pane) {
    if (!changing.compareAndSet(false, true)) {
      return;
    }
    try {
      var kept = new ArrayList<Candidate>(index.all());
      for (Candidate candidate : index.all()) {
        candidate.rank = stripes.sum(candidate.hash, pane.epoch);
        if (candidate.rank == 0 && budgets.leave(candidate)) {
          kept.remove(candidate);
          usedBytes -= candidate.key.keptBytes();
        }
      }
      publish(kept);
    } finally {
      changing.set(false);
    }
  }

  /** Takes a weaker key out of a list, if there is one; the caller publishes what is left. */
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
      // An early key has counted little yet.
      boolean wins = estimate > least || (urgent && weakest.state() == Candidate.COOL);
      if (wins && budgets.leave(weakest)) {
        kept.remove(weakest);
        usedBytes -= weakest.key.keptBytes();
        return true;
      }
      if (!stale) {
        break;
      }
    }
    setAdmitAt();
    return false;
  }

  private @Nullable Candidate weakest() {
    Candidate weakest = null;
    for (Candidate candidate : index.all()) {
      boolean displaceable = !candidate.isHot() && candidate.state() != Candidate.FALLING;
      if (displaceable && (weakest == null || candidate.rank < weakest.rank)) {
        weakest = candidate;
      }
    }
    return weakest;
  }

  private Candidate place(long hash, Object key, long estimate, long now, List<Candidate> kept) {
    boolean[] taken = new boolean[1 + capacity];
    kept.forEach(candidate -> taken[candidate.number] = true);
    int number = 1;
    while (taken[number]) {
      number++;
    }
    long count = admissions + 1;
    admissions = count;
    makeRoom(kept);
    StoredKey stored = StoredKey.copyOf(key, hash, (int) (keyBytes - usedBytes));
    usedBytes += stored.keptBytes();
    var candidate = new Candidate(hash, number, (int) count, stored, now);
    candidate.rank = estimate;
    kept.add(candidate);
    publish(kept);
    return candidate;
  }

  /** Cuts keys that have more than a place's bytes, cool ones first, until one more has those. */
  private void makeRoom(List<Candidate> kept) {
    for (int pass = 0; pass < 2; pass++) {
      boolean alsoHot = pass == 1;
      for (Candidate candidate : kept) {
        if (keyBytes - usedBytes >= BYTES_PER_KEY) {
          return;
        }
        int over = candidate.key.keptBytes() - BYTES_PER_KEY;
        if (over > 0 && (alsoHot || !candidate.isHot())) {
          candidate.key = candidate.key.cutTo(BYTES_PER_KEY);
          usedBytes -= over;
        }
      }
    }
  }

  private void publish(List<Candidate> kept) {
    index = new SlotIndex<>(kept, 0, capacity, ++publications, Candidate.NOBODY);
    setAdmitAt();
  }

  private void setAdmitAt() {
    if (!isFull()) {
      bar = 1;
      admitAt = 1;
      return;
    }
    Candidate weakest = weakest();
    long rank = weakest == null ? Long.MAX_VALUE / 2 : weakest.rank;
    long least = rank + (rank >> MARGIN_SHIFT) + 1;
    bar = least;
    admitAt = Math.max(1, least / stripes.count());
  }

  /** Returns the most bytes of a table: keys, index, and a verdict for each. */
  static long bytes(int capacity) {
    long candidate = 64 + 32 + 64 + 16;
    return capacity * (candidate + BYTES_PER_KEY) + SlotIndex.bytes(capacity) + 128;
  }
}
