package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A table of the keys with the highest rates out of any number of keys, in a fixed number of slots.
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
 * has free slots. A slot takes at most {@link #slotBytes}, including the sketch, which a stripe
 * allocates at its first contest.
 *
 * <p>Any thread may call any method. A touch, a find and a remove take the lock of one stripe and
 * are atomic. Methods that read the whole table lock one stripe after the other, so they are not a
 * snapshot. Every loss is visible: a touch that is not tracked returns a {@link
 * TouchResult.Refusal} and is counted, and an eviction is reported to the listener and by {@link
 * Tracked#isEvicted}. A touch of a tracked key and a lost contest allocate nothing.
 */
public final class ContestTable {
  private static final int STRIPE_SHIFT = Long.SIZE - Byte.SIZE;

  private final ContestConfig config;
  private final KeyHash hash;
  private final Ticker ticker;
  private final @Nullable EvictionListener listener;
  private final ContestStripe[] stripes;

  ContestTable(ContestTableBuilder builder, ContestConfig config, int stripes) {
    this.config = config;
    hash = builder.hash();
    ticker = builder.ticker();
    listener = builder.listener();
    this.stripes = new ContestStripe[stripes];
    for (int i = 0; i < stripes; i++) {
      this.stripes[i] =
          new ContestStripe(
              slotsOfStripe(builder.slots(), i, stripes),
              config,
              ticker,
              Xoroshiro.seeded(builder.seeds()));
    }
  }

  /** Returns a builder with the defaults. */
  public static ContestTableBuilder builder() {
    return new ContestTableBuilder();
  }

  /** Touches a key once. */
  public TouchResult touch(byte[] key) {
    return touch(hash.hash(key), key, 1);
  }

  /** Touches a key once. */
  public TouchResult touch(String key) {
    return touch(hash.hash(key), key, 1);
  }

  /**
   * Touches a key with a weight, which counts as that number of touches.
   *
   * @throws IllegalArgumentException if the weight is not positive
   */
  public TouchResult touch(byte[] key, long weight) {
    return touch(hash.hash(key), key, weight);
  }

  /**
   * Touches a key with a weight, which counts as that number of touches.
   *
   * @throws IllegalArgumentException if the weight is not positive
   */
  public TouchResult touch(String key, long weight) {
    return touch(hash.hash(key), key, weight);
  }

  /**
   * Touches a key whose hash is known.
   *
   * @param hash the hash by {@link KeyHash#fast} with the table's secret
   * @throws IllegalArgumentException if the weight is not positive
   */
  public TouchResult touch(long hash, byte[] key, long weight) {
    return touch(KeyForm.BYTES, key, hash, weight);
  }

  /**
   * Touches a key whose hash is known.
   *
   * @param hash the hash by {@link KeyHash#fast} with the table's secret
   * @throws IllegalArgumentException if the weight is not positive
   */
  public TouchResult touch(long hash, String key, long weight) {
    return touch(KeyForm.TEXT, key, hash, weight);
  }

  /** Returns the entry of a key, or null. */
  public @Nullable Tracked find(byte[] key) {
    return find(hash.hash(key), key);
  }

  /** Returns the entry of a key, or null. */
  public @Nullable Tracked find(String key) {
    return find(hash.hash(key), key);
  }

  /** Returns the entry of a key whose hash is known, or null. */
  public @Nullable Tracked find(long hash, byte[] key) {
    ContestStripe stripe = stripe(hash);
    synchronized (stripe) {
      return stripe.find(KeyForm.BYTES, key, hash);
    }
  }

  /** Returns the entry of a key whose hash is known, or null. */
  public @Nullable Tracked find(long hash, String key) {
    ContestStripe stripe = stripe(hash);
    synchronized (stripe) {
      return stripe.find(KeyForm.TEXT, key, hash);
    }
  }

  /** Removes a key, even if it is held; returns its entry, or null if there was none. */
  public @Nullable Tracked remove(byte[] key) {
    return remove(hash.hash(key), key);
  }

  /** Removes a key whose hash is known; returns its entry, or null if there was none. */
  public @Nullable Tracked remove(long hash, byte[] key) {
    ContestStripe stripe = stripe(hash);
    synchronized (stripe) {
      return stripe.remove(KeyForm.BYTES, key, hash);
    }
  }

  /** Returns copies of the {@code n} entries with the highest scores, highest first. */
  public List<KeyScore> top(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("n must not be negative: " + n);
    }
    var highest = new PriorityQueue<KeyScore>(KeyScore.HIGHEST_FIRST.reversed());
    long now = ticker.nanos();
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
  public ContestSnapshot snapshot() {
    var entries = new ArrayList<KeyScore>();
    for (ContestStripe stripe : stripes) {
      synchronized (stripe) {
        long now = ticker.nanos();
        stripe.forEach(entry -> entries.add(stripe.copyOf(entry, now)));
      }
    }
    return new ContestSnapshot(hash.fingerprint(), config, entries);
  }

  /**
   * Changes the number of slots. If a stripe has too many entries, those with the lowest scores are
   * evicted. The other entries stay valid.
   *
   * @throws IllegalArgumentException if there is less than one slot for each stripe, or too many
   */
  public void resize(int slots) {
    if (slots < stripes.length || slots > ContestTableBuilder.MAX_SLOTS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "slots must be %d to %d: %d",
              stripes.length,
              ContestTableBuilder.MAX_SLOTS,
              slots));
    }
    for (int i = 0; i < stripes.length; i++) {
      List<Tracked> evicted;
      synchronized (stripes[i]) {
        evicted = stripes[i].resize(slotsOfStripe(slots, i, stripes.length), ticker.nanos());
      }
      evicted.forEach(this::notifyListener);
    }
  }

  /** Returns statistics about the table. */
  public ContestStats stats() {
    long size = 0;
    long capacity = 0;
    var counts = new ContestStripe.Counts();
    for (ContestStripe stripe : stripes) {
      synchronized (stripe) {
        size += stripe.size();
        capacity += stripe.capacity();
        counts.add(stripe.counts());
      }
    }
    return ContestStats.of(size, capacity, counts);
  }

  /** Sets every count of {@link #stats} to 0, except size and capacity. */
  public void resetStats() {
    for (ContestStripe stripe : stripes) {
      synchronized (stripe) {
        stripe.resetCounts();
      }
    }
  }

  /** Returns the most bytes of a slot with a key of this length. */
  public long slotBytes(int keyLength) {
    return config.slotBytes(keyLength);
  }

  /** Returns whether a table of these settings would differ only in the number of slots. */
  boolean differsOnlyInSlots(ContestTableBuilder builder, ContestConfig other, int otherStripes) {
    return stripes.length == otherStripes
        && ticker == builder.ticker()
        && listener == builder.listener()
        && hash.fingerprint() == builder.hash().fingerprint()
        && config.countsLike(other);
  }

  /** Copies the entries and counts of a table that this one replaces. */
  void copyFrom(ContestTable other) {
    ContestSnapshot snapshot = other.snapshot();
    if (snapshot.hashFingerprint() != hash.fingerprint()) {
      throw new IllegalArgumentException("secret must be the secret of the replaced table");
    }
    var sorted = new ArrayList<>(snapshot.entries());
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

  /**
   * Inserts entries of a snapshot, without those with the lowest scores if there are too many.
   * Returns false if a key occurs twice.
   */
  boolean restore(List<KeyScore> highestFirst) {
    long now = ticker.nanos();
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

  private <K> TouchResult touch(KeyForm<K> form, K key, long hash, long weight) {
    checkWeight(weight);
    long now = ticker.nanos();
    ContestStripe stripe = stripe(hash);
    TouchResult result;
    Tracked evicted;
    synchronized (stripe) {
      result = stripe.touch(form, key, hash, weight, now);
      evicted = stripe.pollEvicted();
    }
    if (evicted != null) {
      notifyListener(evicted);
    }
    return result;
  }

  private void notifyListener(Tracked evicted) {
    if (listener != null) {
      listener.evicted(evicted);
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
