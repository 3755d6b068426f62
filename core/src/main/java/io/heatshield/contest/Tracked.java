package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import io.heatshield.key.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a {@link ContestTable}: a key, its score, its token buckets and its distinct values.
 *
 * <p>The owner of an entry may keep a reference to it. After the entry has left the table, {@link
 * #isEvicted} returns true, the score only decays, and additions are lost. If the key gets a slot
 * again, it has a new entry. Any thread may call any method. Each method is atomic, and takes the
 * lock of the entry's stripe unless stated otherwise.
 */
public final class Tracked extends KeyIndex.Entry implements TouchResult {
  /*
   * evicted   volatile; set once, under the stripe's lock. The owner can poll it without the lock.
   * held      volatile; read by contests, written without the lock, so that the owner never waits
   *           for a contest. A hold during a contest may be too late; isEvicted is then true.
   *
   * All other fields are read and written under the stripe's lock. Pinned by ContestTableStress.
   */
  private static final long ALL_RATES = -1;

  private final ContestStripe stripe;
  private volatile boolean evicted;
  private volatile boolean held;

  /** The score as of {@code touchedAt}. */
  double scoreAtTouch;

  /**
   * The share of the score that may be from other keys' touches. After a contest it is the whole
   * score without the winning touch.
   */
  float errorShare;

  /** The time of the last touch. */
  long touchedAt;

  /** The time when the entry was last moved to the end of the LRU list. */
  long listedAt;

  int slot;
  @Nullable Tracked older;
  @Nullable Tracked newer;
  long @Nullable [] distinct;
  private long @Nullable [] tokens;

  Tracked(ContestStripe stripe, long hash, byte[] stored, double score, long now) {
    super(hash, stored);
    this.stripe = stripe;
    this.scoreAtTouch = score;
    this.touchedAt = now;
    this.listedAt = now;
  }

  /** Returns a copy of the key's bytes; of a key over 512 bytes, the first 512. */
  public byte[] key() {
    return KeyForm.visible(stored);
  }

  /** Returns the original length of the key in bytes. */
  public int length() {
    return KeyForm.fullLength(stored);
  }

  /** Returns the keyed hash of the key. */
  public long hash() {
    return hash;
  }

  /** Returns whether the entry has left the table, by eviction or removal. Takes no lock. */
  public boolean isEvicted() {
    return evicted;
  }

  /** Prevents contests from evicting this entry, until {@link #letGo}. Takes no lock. */
  public void hold() {
    held = true;
  }

  /** Ends a {@link #hold}. Takes no lock. */
  public void letGo() {
    held = false;
  }

  /** Returns whether contests skip this entry. Takes no lock. */
  public boolean isHeld() {
    return held;
  }

  /** Returns the current rate in touches per second, averaged over the table's window. */
  public double rate() {
    synchronized (stripe) {
      return stripe.config().rate(stripe.scoreAt(this, stripe.now()));
    }
  }

  /** Returns a copy of the entry with its current score. */
  public KeyScore snapshot() {
    synchronized (stripe) {
      return stripe.copyOf(this, stripe.now());
    }
  }

  /**
   * Charges a touch to the token bucket of each of the table's rates. Returns a bit for each rate,
   * the first rate lowest, which is set if the bucket had too few tokens. Such a bucket is not
   * charged.
   *
   * @throws IllegalArgumentException if the weight is not positive
   */
  public long charge(long weight) {
    return charge(weight, ALL_RATES);
  }

  /**
   * Charges a touch as {@link #charge(long)} does, but only to some of the rates.
   *
   * @param rates a bit for each rate, the first rate lowest, set if it is to be charged
   * @throws IllegalArgumentException if the weight is not positive
   */
  public long charge(long weight, long rates) {
    ContestTable.checkWeight(weight);
    TokenBuckets buckets = stripe.config().buckets();
    synchronized (stripe) {
      long now = stripe.now();
      long[] state = tokens;
      if (state == null) {
        state = buckets.full(now);
        tokens = state;
      }
      return buckets.charge(state, weight, now, rates);
    }
  }

  /**
   * Adds a value, given by its hash, to the distinct values of this key.
   *
   * @throws IllegalStateException if the table does not count distinct values
   */
  public void addDistinct(long valueHash) {
    Cardinality cardinality = stripe.config().cardinality();
    if (cardinality == null) {
      throw new IllegalStateException(
          "table must be built with a cardinality to count distinct values");
    }
    synchronized (stripe) {
      long now = stripe.now();
      long[] state = distinct;
      if (state == null) {
        state = cardinality.empty(now);
        distinct = state;
      }
      cardinality.add(state, valueHash, now, stripe.random());
    }
  }

  /** Returns the estimate of distinct values; 0 if the table does not count them. */
  public Distinct distinct() {
    synchronized (stripe) {
      return stripe.distinctOf(this, stripe.now());
    }
  }

  /** Returns the key, with non-printable bytes escaped. */
  @Override
  public String toString() {
    return KeyText.of(key());
  }

  /** Marks the entry as having left the table. The caller holds the stripe's lock. */
  void markEvicted() {
    evicted = true;
  }
}
