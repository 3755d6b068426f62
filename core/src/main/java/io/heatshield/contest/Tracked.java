package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import io.heatshield.key.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a {@link ContestTable}: one key, its score, and the state that goes with it.
 *
 * <p>Its owner may keep it as a handle. {@link #isEvicted} tells when the entry has left the table;
 * from then on its score only fades, and what is added to it is lost with it. A key that comes back
 * gets a new entry. Any thread may call any method; each is atomic, and takes the lock of the
 * entry's stripe for a moment unless it says otherwise.
 */
public final class Tracked extends KeyIndex.Keyed implements Touched {
  /*
   * evicted   read: volatile   write: volatile, under the stripe's lock, once
   * held      read: volatile   write: volatile
   *
   * Everything else is read and written under the stripe's lock. evicted is volatile so that its owner may poll it without
   * the lock; held so that an owner never waits for a contest: a hold that races one may come too late, which isEvicted
   * then tells. Pinned by ContestTableStress.
   */
  private static final long ALL_RATES = -1;

  private final ContestStripe stripe;
  private volatile boolean evicted;
  private volatile boolean held;

  double score;

  /** The share of the score that may be others': what won the contest less the winning touch. */
  float doubt;

  long last;
  long ordered;
  int slot;
  @Nullable Tracked older;
  @Nullable Tracked newer;
  long @Nullable [] distinct;
  private long @Nullable [] tokens;

  Tracked(ContestStripe stripe, long hash, byte[] stored, double score, long now) {
    super(hash, stored);
    this.stripe = stripe;
    this.score = score;
    this.last = now;
    this.ordered = now;
  }

  /** Returns a copy of the key's bytes; of a key over 512 bytes, the first 512. */
  public byte[] key() {
    return KeyForm.visible(stored);
  }

  /** Returns the length of the key in bytes, as it came in. */
  public int length() {
    return KeyForm.fullLength(stored);
  }

  /** Returns the keyed hash that the key came in with. */
  public long hash() {
    return hash;
  }

  /** Returns whether the entry has left the table, by eviction or removal. Takes no lock. */
  public boolean isEvicted() {
    return evicted;
  }

  /** Forbids contests to evict this entry, until {@link #letGo}. Takes no lock. */
  public void hold() {
    held = true;
  }

  /** Ends a {@link #hold}. Takes no lock. */
  public void letGo() {
    held = false;
  }

  /** Returns whether contests pass this entry by. Takes no lock. */
  public boolean isHeld() {
    return held;
  }

  /** Returns the rate in touches per second, averaged over the table's window, as of now. */
  public double rate() {
    synchronized (stripe) {
      return stripe.config().rate(stripe.scoreAt(this, stripe.now()));
    }
  }

  /** Returns a copy of the entry as of now. */
  public Standing standing() {
    synchronized (stripe) {
      return stripe.standing(this, stripe.now());
    }
  }

  /**
   * Charges a touch to the token bucket of each of the table's rates. Returns a bit for each rate,
   * that of the first lowest, which is set if its bucket had too little; such a bucket is not
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
   * @param rates a bit for each rate, that of the first lowest, set if it is to be charged
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
   * Adds a value to the distinct ones of this key, by its hash.
   *
   * @throws IllegalStateException if the table counts none
   */
  public void addDistinct(long valueHash) {
    Cardinality cardinality = stripe.config().cardinality();
    if (cardinality == null) {
      throw new IllegalStateException("the table counts no distinct values");
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

  /** Returns the estimate of distinct values; 0 if the table counts none. */
  public Distinct distinct() {
    synchronized (stripe) {
      return stripe.distinctOf(this, stripe.now());
    }
  }

  /** Returns the key, printable. */
  @Override
  public String toString() {
    return KeyText.of(key());
  }

  /** Tells the owner that the entry has left; the stripe's lock is held. */
  void evict() {
    evicted = true;
  }
}
