package io.heatshield.limit.coalesce;

import io.heatshield.limit.CounterKey;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are hot, at most as many as were allowed.
 *
 * <p>When all places are taken, a new key gets that of one which was not used since the hand last
 * came by, as on a clock: an order by recency that costs a call no more than a flag. Any thread may
 * call any method. To find a key takes no lock.
 */
final class HotSet {
  /*
   * ring, size, hand   plain, under lock   A call that finds the lock taken leaves its key cold for
   *                    this time: its next call tries again.
   */
  private static final int MOST_LOOKS = 64;

  private final Map<CounterKey, HotKey> keys = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final HotKey[] ring;
  private final LongAdder promotions = new LongAdder();
  private final LongAdder demotions = new LongAdder();
  private int size;
  private int hand;

  HotSet(int most) {
    ring = new HotKey[most];
  }

  /** Returns a key that is hot. */
  @Nullable HotKey find(CounterKey key) {
    return keys.get(key);
  }

  /** Makes a key hot, unless another thread changes the set; then null. */
  @Nullable HotKey promote(CounterKey key, Function<CounterKey, HotKey> made) {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      HotKey present = keys.get(key);
      if (present != null) {
        return present;
      }
      int at = size < ring.length ? size++ : vacated();
      HotKey fresh = made.apply(key);
      ring[at] = fresh;
      keys.put(key, fresh);
      promotions.increment();
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  /** Halves all counts, and lets the keys go that were below the threshold and need not stay. */
  void decay(long threshold, Set<CounterKey> staying) {
    lock.lock();
    try {
      for (int i = size - 1; i >= 0; i--) {
        if (ring[i].cools(threshold) && !staying.contains(ring[i].key)) {
          forget(ring[i]);
          ring[i] = ring[--size];
        }
      }
    } finally {
      lock.unlock();
    }
  }

  int size() {
    return keys.size();
  }

  long promotions() {
    return promotions.sum();
  }

  long demotions() {
    return demotions.sum();
  }

  /** Frees the place of a key that was not used lately, as far as a few looks tell. */
  private int vacated() {
    for (int looks = 0; looks < MOST_LOOKS && ring[hand].wasUsed(); looks++) {
      hand = (hand + 1) % ring.length;
    }
    int at = hand;
    hand = (hand + 1) % ring.length;
    forget(ring[at]);
    return at;
  }

  private void forget(HotKey key) {
    keys.remove(key.key);
    demotions.increment();
  }
}
