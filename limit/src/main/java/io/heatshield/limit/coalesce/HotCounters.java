package io.heatshield.limit.coalesce;

import io.heatshield.limit.counter.CounterKey;
import io.heatshield.sketch.CountMinSketch;
import io.heatshield.sketch.HashedCountMinSketch;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the counters that are hot: those with at least a threshold of calls, halved every decay
 * interval.
 *
 * <p>Calls for cold counters are counted in a sketch, which never underestimates: a counter becomes
 * hot with the call that reaches the threshold. A collision may make another one hot too early,
 * which costs a batcher. When all places are taken, a new hot counter gets the place of one that
 * was not used lately, found by a clock hand. Counters that are hot in the fleet are hot here too,
 * up to half the places. A hot counter takes about 600 bytes.
 *
 * <p>Any thread may call any method. Finding a hot counter takes no lock.
 */
final class HotCounters {
  /*
   * hot            concurrent map; changed under lock, read without it
   * places, size, hand, decayedAt   guarded by lock. A call that finds it taken leaves its counter
   *                cold for this time; the next call tries again.
   * hotElsewhere   volatile; replaced as a whole
   */
  private static final int MAX_LOOKS = 64;

  /** The number of sketch cells halved at a time; a call waits microseconds for that. */
  private static final int HALVING_STEP = 4096;

  private final CoalescingCounters coalescer;
  private final CountMinSketch sketch;
  private final HashedCountMinSketch hashed;
  private final Map<CounterKey, HotCounter> hot = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final HotCounter[] places;
  private final LongAdder promotions = new LongAdder();
  private final LongAdder demotions = new LongAdder();
  private final long decayNanos;
  private int size;
  private int hand;
  private long decayedAt;
  private volatile Set<CounterKey> hotElsewhere = Set.of();

  HotCounters(CoalescingCounters coalescer, CoalesceSettings settings) {
    this.coalescer = coalescer;
    this.sketch =
        CountMinSketch.builder().width(settings.width()).depth(settings.depth()).stripes(1).build();
    this.hashed = sketch.hashed(sketch.keyHash());
    this.places = new HotCounter[settings.maxKeys()];
    this.decayNanos = settings.decayInterval().toNanos();
    this.decayedAt = coalescer.ticker.nanos();
  }

  /** Returns a counter if it is hot. */
  @Nullable HotCounter find(CounterKey key) {
    return hot.get(key);
  }

  /** Counts a call and returns its counter if that is hot. */
  @Nullable HotCounter touch(CounterKey key) {
    HotCounter present = hot.get(key);
    if (present != null) {
      present.touch();
      return present;
    }
    // The hash of a counter's key has another secret, so here it is the key.
    long hash = sketch.keyHash().hash(key.hash());
    hashed.touch(hash);
    long threshold = coalescer.settings.threshold();
    return hashed.estimate(hash) >= threshold ? promote(key, threshold) : null;
  }

  /** Replaces the counters that are hot in the fleet, hottest first. */
  void hotElsewhere(Collection<CounterKey> keys) {
    int most = Math.max(1, places.length / 2);
    hotElsewhere = keys.stream().limit(most).collect(Collectors.toUnmodifiableSet());
    // One that finds the lock taken is promoted next time: the fleet repeats what is hot.
    hotElsewhere.forEach(key -> promote(key, 0));
  }

  /** Halves all counts if a decay interval has passed, in steps so that no call waits for long. */
  void maintain() {
    if (!decayHot(coalescer.ticker.nanos(), coalescer.settings.threshold())) {
      return;
    }
    boolean done = false;
    while (!done) {
      done = sketch.halveStep(HALVING_STEP);
    }
  }

  int size() {
    return hot.size();
  }

  long promotions() {
    return promotions.sum();
  }

  long demotions() {
    return demotions.sum();
  }

  /** Returns the cells in a row of the sketch. */
  int sketchWidth() {
    return sketch.width();
  }

  private @Nullable HotCounter promote(CounterKey key, long score) {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      HotCounter present = hot.get(key);
      if (present != null) {
        return present;
      }
      int place = size < places.length ? size++ : evict();
      var promoted = new HotCounter(key, score, coalescer);
      places[place] = promoted;
      hot.put(key, promoted);
      promotions.increment();
      return promoted;
    } finally {
      lock.unlock();
    }
  }

  /** Demotes a counter that was not used lately, as far as a few looks tell; returns its place. */
  private int evict() {
    for (int looks = 0; looks < MAX_LOOKS && places[hand].getAndClearUsed(); looks++) {
      hand = (hand + 1) % places.length;
    }
    int place = hand;
    hand = (hand + 1) % places.length;
    demote(places[place]);
    return place;
  }

  private boolean decayHot(long now, long threshold) {
    lock.lock();
    try {
      if (now - decayedAt < decayNanos) {
        return false;
      }
      decayedAt = now;
      for (int i = size - 1; i >= 0; i--) {
        if (places[i].decay(threshold) && !hotElsewhere.contains(places[i].key)) {
          demote(places[i]);
          places[i] = places[--size];
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void demote(HotCounter counter) {
    hot.remove(counter.key);
    demotions.increment();
  }
}
