package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import io.heatshield.key.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a {@link ContestTable}: a key, its score, its token buckets and its distinct targets.
 *
 * <p>After an entry has left the table, {@link #isEvicted} returns true, the score only decays, and
 * additions are lost. If the key gets a slot again, it has a new entry. Any thread may call any
 * method. Each method is atomic, and takes the lock of the entry's stripe unless stated otherwise.
 */
final class Tracked extends KeyIndex.Entry {
  /*
   * evicted   volatile; set once, under the stripe's lock, and read without it.
   *
   * All other fields are read and written under the stripe's lock. Pinned by ContestTableStress.
   */
  private final ContestStripe stripe;
  private volatile boolean evicted;

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
  byte[] key() {
    return KeyForm.visible(stored);
  }

  /** Returns the original length of the key in bytes. */
  int length() {
    return KeyForm.fullLength(stored);
  }

  /** Returns whether the entry has left the table, by eviction or removal. Takes no lock. */
  boolean isEvicted() {
    return evicted;
  }

  /** Returns the current rate in touches per second, averaged over the table's window. */
  double rate() {
    synchronized (stripe) {
      return stripe.config().rate(stripe.scoreAt(this, stripe.now()));
    }
  }

  /** Returns a copy of the entry with its current score. */
  KeyScore snapshot() {
    synchronized (stripe) {
      return stripe.copyOf(this, stripe.now());
    }
  }

  /**
   * Charges a touch to the token buckets of some of the table's rates. Returns a bit for each rate,
   * the first rate lowest, which is set if the bucket had too few tokens. Such a bucket is not
   * charged.
   *
   * @param weight the number of touches, at least 1
   * @param rates a bit for each rate, the first rate lowest, set if it is to be charged
   */
  long charge(long weight, long rates) {
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

  /** Adds a target, given by its hash, to the distinct targets of this key, if they are counted. */
  void addDistinct(long targetHash) {
    DistinctSettings settings = stripe.config().distinct();
    if (settings == null) {
      return;
    }
    synchronized (stripe) {
      long now = stripe.now();
      long[] state = distinct;
      if (state == null) {
        state = settings.empty(now);
        distinct = state;
      }
      settings.add(state, targetHash, now, stripe.random());
    }
  }

  /** Returns the estimate of distinct targets; 0 if the table does not count them. */
  DistinctEstimate distinct() {
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
