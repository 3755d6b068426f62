package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The keys with the highest rates out of any number of keys, in a fixed number of slots.
 *
 * <p><b>Score</b>: S becomes S e<sup>-dt/window</sup> + weight with every touch, and the rate is S
 * / window. It is computed from the entry's own last touch, so a key that fell silent fades while
 * nobody looks. See {@link Standing}.
 *
 * <p><b>Contest</b>: a newcomer that finds no free slot adds to a sketch of refused scores, and
 * with its estimate contests the lowest of a few entries drawn at random and the least recently
 * touched one. An entry that has been silent for more than the window goes first. A newcomer begins
 * with its estimate, which is never below what its own refused touches amount to: the score of a
 * key that won its place may be above the true one, that of a key which found a free slot is exact.
 *
 * <p><b>Bounds</b>: never more entries than slots, at any moment. Slots are split evenly over the
 * stripes, keys by their keyed hash, so a key may have to contest while other stripes have room. A
 * slot takes {@link #slotBytes} at most, the sketch included, which is made when a stripe first
 * refuses somebody.
 *
 * <p>Any thread may call any method. A touch, a find and a remove take the lock of one stripe and
 * are atomic; views take one lock after another and see each stripe as of some moment during the
 * call. Nothing is lost without a sign: a touch that is not tracked is answered with a {@link
 * Touched.Refusal} and counted, an eviction is reported to the listener and to the holder of the
 * entry. A touch and a lost contest allocate nothing.
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
              part(builder.slots(), i, stripes), config, ticker, Xoroshiro.seeded(builder.seeds()));
    }
  }

  /** Returns a builder with the defaults. */
  public static ContestTableBuilder builder() {
    return new ContestTableBuilder();
  }

  /** Touches a key once. */
  public Touched touch(byte[] key) {
    return touch(hash.hash(key), key, 1);
  }

  /** Touches a key once. */
  public Touched touch(String key) {
    return touch(hash.hash(key), key, 1);
  }

  /**
   * Touches a key so many times at once.
   *
   * @throws IllegalArgumentException if the weight is not positive
   */
  public Touched touch(byte[] key, long weight) {
    return touch(hash.hash(key), key, weight);
  }

  /**
   * Touches a key so many times at once.
   *
   * @throws IllegalArgumentException if the weight is not positive
   */
  public Touched touch(String key, long weight) {
    return touch(hash.hash(key), key, weight);
  }

  /**
   * Touches a key whose hash is known.
   *
   * @param hash the hash under the table's secret by {@link KeyHash#fast}
   * @throws IllegalArgumentException if the weight is not positive
   */
  public Touched touch(long hash, byte[] key, long weight) {
    return touch(KeyForm.BYTES, key, hash, weight);
  }

  /**
   * Touches a key whose hash is known.
   *
   * @param hash the hash under the table's secret by {@link KeyHash#fast}
   * @throws IllegalArgumentException if the weight is not positive
   */
  public Touched touch(long hash, String key, long weight) {
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

  /** Takes a key out, whether it is held or not; returns its entry, or null if there was none. */
  public @Nullable Tracked remove(byte[] key) {
    return remove(hash.hash(key), key);
  }

  /** Takes a key out whose hash is known; returns its entry, or null if there was none. */
  public @Nullable Tracked remove(long hash, byte[] key) {
    ContestStripe stripe = stripe(hash);
    synchronized (stripe) {
      return stripe.remove(KeyForm.BYTES, key, hash);
    }
  }

  /** Returns copies of the {@code n} entries with the highest scores, the highest first. */
  public List<Standing> top(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("n must not be negative: " + n);
    }
    var highest = new PriorityQueue<Standing>(Standing.HIGHEST_FIRST.reversed());
    long now = ticker.nanos();
    for (ContestStripe stripe : n == 0 ? new ContestStripe[0] : stripes) {
      synchronized (stripe) {
        stripe.forEach(
            entry -> {
              Standing lowest = highest.size() < n ? null : highest.peek();
              if (lowest == null || stripe.scoreAt(entry, now) > lowest.score()) {
                highest.add(stripe.standing(entry, now));
                if (lowest != null) {
                  highest.remove();
                }
              }
            });
      }
    }
    var sorted = new ArrayList<>(highest);
    sorted.sort(Standing.HIGHEST_FIRST);
    return sorted;
  }

  /** Returns a copy of all entries, to be stored. */
  public ContestSnapshot snapshot() {
    var entries = new ArrayList<Standing>();
    for (ContestStripe stripe : stripes) {
      synchronized (stripe) {
        long now = ticker.nanos();
        stripe.forEach(entry -> entries.add(stripe.standing(entry, now)));
      }
    }
    return new ContestSnapshot(hash.fingerprint(), config, entries);
  }

  /**
   * Changes the number of slots in place. Of each stripe those with the highest scores stay, with
   * their entries; the others are evicted.
   *
   * @throws IllegalArgumentException if there are too many slots, or not one for each stripe
   */
  public void resize(int slots) {
    if (slots < stripes.length || slots > ContestTableBuilder.MAX_SLOTS) {
      throw new IllegalArgumentException(
          "slots must be "
              + (stripes.length + " to " + ContestTableBuilder.MAX_SLOTS)
              + (": " + slots));
    }
    for (int i = 0; i < stripes.length; i++) {
      List<Tracked> gone;
      synchronized (stripes[i]) {
        gone = stripes[i].resize(part(slots, i, stripes.length), ticker.nanos());
      }
      gone.forEach(this::tell);
    }
  }

  /** Returns what the table holds and did. */
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

  /** Sets every count of {@link #stats} to 0, but for size and capacity. */
  public void resetStats() {
    for (ContestStripe stripe : stripes) {
      synchronized (stripe) {
        stripe.resetCounts();
      }
    }
  }

  /** Returns the bytes that a slot with a key of this length takes at most. */
  public long slotBytes(int keyLength) {
    return config.slotBytes(keyLength);
  }

  /** Returns whether a builder asks for what this table is, but for the number of slots. */
  boolean isLike(ContestTableBuilder builder, ContestConfig other, int otherStripes) {
    return stripes.length == otherStripes
        && ticker == builder.ticker()
        && listener == builder.listener()
        && hash.fingerprint() == builder.hash().fingerprint()
        && config.isLike(other);
  }

  /** Takes over the entries and counts of another table, which is used no more. */
  void takeOver(ContestTable other) {
    ContestSnapshot entries = other.snapshot();
    if (entries.hashFingerprint() != hash.fingerprint()) {
      throw new IllegalArgumentException("secret must be that of the table that went before");
    }
    var sorted = new ArrayList<>(entries.entries());
    sorted.sort(Standing.HIGHEST_FIRST);
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

  /** Puts in entries of a snapshot, those with the lowest scores left out if there are too many. */
  boolean restore(List<Standing> highestFirst) {
    long now = ticker.nanos();
    int[] taken = new int[stripes.length];
    var kept = new ArrayList<Standing>();
    for (Standing entry : highestFirst) {
      int i = stripeOf(entry.hash());
      if (taken[i] < stripes[i].capacity()) {
        taken[i]++;
        kept.add(entry);
      }
    }
    kept.sort((a, b) -> Long.compare(b.ageNanos(), a.ageNanos()));
    for (Standing entry : kept) {
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

  private <K> Touched touch(KeyForm<K> form, K key, long hash, long weight) {
    checkWeight(weight);
    long now = ticker.nanos();
    ContestStripe stripe = stripe(hash);
    Touched answer;
    Tracked evicted;
    synchronized (stripe) {
      answer = stripe.touch(form, key, hash, weight, now);
      evicted = stripe.takeEvicted();
    }
    if (evicted != null) {
      tell(evicted);
    }
    return answer;
  }

  private void tell(Tracked evicted) {
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

  private static int part(int slots, int stripe, int stripes) {
    return slots / stripes + (stripe < slots % stripes ? 1 : 0);
  }
}
