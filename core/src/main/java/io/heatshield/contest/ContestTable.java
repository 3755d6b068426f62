package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The keys with the highest rates out of any number of keys, in a fixed number of slots.
 *
 * <p><b>Score</b>: an EWMA. A touch changes the score S to S e<sup>-dt/window</sup> + weight; the
 * rate is S / window. A score is computed from the time of the last touch when it is read, so it
 * decays without touches. See {@link KeyScore}.
 *
 * <p><b>Contest</b>: if no slot is free, a touch of a new key (a <i>newcomer</i>) is added to a
 * sketch of the scores of untracked keys. If the least recently touched entry has been idle for
 * more than the window, the newcomer gets its slot. Otherwise the newcomer's estimate is compared
 * with the lowest score of that entry and of a few entries that are probed at random. If the
 * estimate is more than 1/8 higher, the newcomer replaces the entry with that score. Its own score
 * starts at the estimate, which is never below the score of its touches since it was first
 * rejected. So the score of a key that won a contest may be too high, and the score of a key that
 * got a free slot is exact.
 *
 * <p><b>Bounds</b>: there are never more entries than slots. The slots are distributed evenly over
 * the stripes, and the keys by their keyed hash, so a key may have to contest while another stripe
 * has free slots. A slot takes at most {@link ContestConfig#entryBytes}, including the sketch,
 * which a stripe allocates at its first contest.
 *
 * <p>Any thread may call any method. A touch, a find and a remove take the lock of one stripe and
 * are atomic. Methods that read the whole table lock one stripe after the other, so they are not a
 * snapshot. Every loss is visible: a touch that is not tracked returns null and is counted, and an
 * eviction is reported to {@link ContestContext#onEvicted} and by {@link Tracked#isEvicted}. A
 * touch of a tracked key and a lost contest allocate nothing.
 */
final class ContestTable {
  private static final int STRIPE_SHIFT = Long.SIZE - Byte.SIZE;

  private final ContestConfig config;
  private final ContestContext context;
  private final ContestStripe[] stripes;

  ContestTable(ContestConfig config, int slots, ContestContext context) {
    this.config = config;
    this.context = context;
    stripes = new ContestStripe[config.stripesFor(slots)];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new ContestStripe(slotsOfStripe(slots, i, stripes.length), config, context);
    }
  }

  /**
   * Touches a key, and returns its entry, or null if it gets no slot.
   *
   * @param weight the number of touches that it counts as, at least 1
   */
  <K> @Nullable Tracked touch(KeyForm<K> form, K key, long hash, long weight) {
    long now = context.ticker().nanos();
    ContestStripe stripe = stripe(hash);
    Tracked entry;
    Tracked evicted;
    synchronized (stripe) {
      entry = stripe.touch(form, key, hash, weight, now);
      evicted = stripe.pollEvicted();
    }
    if (evicted != null) {
      context.onEvicted().accept(evicted);
    }
    return entry;
  }

  /** Returns the entry of a key, or null. */
  <K> @Nullable Tracked find(KeyForm<K> form, K key, long hash) {
    ContestStripe stripe = stripe(hash);
    synchronized (stripe) {
      return stripe.find(form, key, hash);
    }
  }

  /** Removes a key; returns its entry, or null if there was none. */
  <K> @Nullable Tracked remove(KeyForm<K> form, K key, long hash) {
    ContestStripe stripe = stripe(hash);
    synchronized (stripe) {
      return stripe.remove(form, key, hash);
    }
  }

  /** Returns copies of the {@code n} entries with the highest scores, highest first. */
  List<KeyScore> top(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("n must not be negative: " + n);
    }
    var highest = new PriorityQueue<KeyScore>(KeyScore.HIGHEST_FIRST.reversed());
    long now = context.ticker().nanos();
    for (ContestStripe stripe : n == 0 ? new ContestStripe[0] : stripes) {
      synchronized (stripe) {
        stripe.forEach(
            entry -> {
              KeyScore lowest = highest.size() < n ? null : highest.peek();
              if (lowest == null || stripe.scoreAt(entry, now) > lowest.score()) {
                highest.add(stripe.copyOf(entry, now));
                if (lowest != null) {
                  highest.remove();
                }
              }
            });
      }
    }
    var sorted = new ArrayList<>(highest);
    sorted.sort(KeyScore.HIGHEST_FIRST);
    return sorted;
  }

  /** Returns a copy of all entries, for storage. */
  ContestSnapshot snapshot() {
    var entries = new ArrayList<KeyScore>();
    for (ContestStripe stripe : stripes) {
      synchronized (stripe) {
        long now = context.ticker().nanos();
        stripe.forEach(entry -> entries.add(stripe.copyOf(entry, now)));
      }
    }
    return new ContestSnapshot(hash().fingerprint(), config, entries);
  }

  /** Returns an empty table with the settings of this one. */
  ContestTable empty() {
    return new ContestTable(config, capacity(), context);
  }

  /**
   * Returns a table with other settings that replaces this one.
   *
   * <p>If only the number of slots differs, it is this table, resized. Otherwise it is a new table
   * with the entries that have the highest scores, and with the counts. Its token buckets are full,
   * and bitmaps of another size are empty. Touches during the call may be lost.
   */
  ContestTable reconfigured(ContestConfig other, int slots) {
    if (stripes.length == other.stripesFor(slots) && config.countsLike(other)) {
      resize(slots);
      return this;
    }
    var table = new ContestTable(other, slots, context);
    table.copyFrom(this);
    return table;
  }

  /** Returns this table or another one with another number of slots. */
  ContestTable resized(int slots) {
    return reconfigured(config, slots);
  }

  /** Returns statistics about the table. */
  ContestStats stats() {
    long size = 0;
    var counts = new ContestStripe.Counts();
    for (ContestStripe stripe : stripes) {
      synchronized (stripe) {
        size += stripe.size();
        counts.add(stripe.counts());
      }
    }
    return ContestStats.of(size, capacity(), counts);
  }

  /** Returns the most bytes of an entry with a key of this length. */
  long entryBytes(int keyLength) {
    return config.entryBytes(keyLength);
  }

  KeyHash hash() {
    return context.hash();
  }

  boolean countsDistinct() {
    return config.distinct() != null;
  }

  /** Returns the number of slots. */
  int capacity() {
    int capacity = 0;
    for (ContestStripe stripe : stripes) {
      synchronized (stripe) {
        capacity += stripe.capacity();
      }
    }
    return capacity;
  }

  /**
   * Inserts entries of a snapshot, without those with the lowest scores if there are too many.
   * Returns false if a key occurs twice.
   */
  boolean restore(List<KeyScore> highestFirst) {
    long now = context.ticker().nanos();
    int[] used = new int[stripes.length];
    var kept = new ArrayList<KeyScore>();
    for (KeyScore entry : highestFirst) {
      int i = stripeOf(entry.hash());
      if (used[i] < stripes[i].capacity()) {
        used[i]++;
        kept.add(entry);
      }
    }
    // The least recently touched first, which is the order of the LRU lists.
    kept.sort((a, b) -> Long.compare(b.ageNanos(), a.ageNanos()));
    for (KeyScore entry : kept) {
      ContestStripe stripe = stripe(entry.hash());
      synchronized (stripe) {
        if (!stripe.restore(entry, now)) {
          return false;
        }
      }
    }
    return true;
  }

  static void checkWeight(long weight) {
    if (weight < 1) {
      throw new IllegalArgumentException("weight must be positive: " + weight);
    }
  }

  /**
   * Changes the number of slots, which must be at least the number of stripes. If a stripe has too
   * many entries, those with the lowest scores are evicted. The other entries stay valid.
   */
  void resize(int slots) {
    for (int i = 0; i < stripes.length; i++) {
      List<Tracked> evicted;
      synchronized (stripes[i]) {
        int capacity = slotsOfStripe(slots, i, stripes.length);
        evicted = stripes[i].resize(capacity, context.ticker().nanos());
      }
      evicted.forEach(context.onEvicted());
    }
  }

  /** Copies the entries and counts of a table that this one replaces. */
  private void copyFrom(ContestTable other) {
    var sorted = new ArrayList<>(other.snapshot().entries());
    sorted.sort(KeyScore.HIGHEST_FIRST);
    boolean unused = restore(sorted);
    var counts = new ContestStripe.Counts();
    counts.shrunk = sorted.size() - stats().size();
    for (ContestStripe stripe : other.stripes) {
      synchronized (stripe) {
        counts.add(stripe.counts());
      }
    }
    synchronized (stripes[0]) {
      stripes[0].counts().add(counts);
    }
  }

  private ContestStripe stripe(long hash) {
    return stripes[stripeOf(hash)];
  }

  private int stripeOf(long hash) {
    return (int) (hash >>> STRIPE_SHIFT) & (stripes.length - 1);
  }

  private static int slotsOfStripe(int slots, int stripe, int stripes) {
    return slots / stripes + (stripe < slots % stripes ? 1 : 0);
  }
}
