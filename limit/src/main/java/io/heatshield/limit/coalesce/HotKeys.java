package io.heatshield.limit.coalesce;

import io.heatshield.limit.CounterKey;
import io.heatshield.sketch.CountMinSketch;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Knows which keys are hot: those with at least a threshold of calls, halved every decay interval.
 *
 * <p>The first calls of a key are counted in a small table, those that come on in a sketch, and
 * those of a hot one by itself; so a call for a hot key takes no lock. Table and sketch are never
 * below the truth, so a key that reaches the threshold turns hot with that call; a collision may
 * make another hot too early, which costs it nothing but its own flights. After counts were halved
 * a key's calls in the sketch tell again once its cell in the table is full: {@value ColdGate#MOST}
 * calls or fewer. Memory is the table, the sketch and, for each hot key, about 500 bytes. Keys that
 * are hot elsewhere are so here too, as many as half the places, and stay until they are not, and
 * are not used enough here.
 *
 * <p>Any thread may call any method.
 */
final class HotKeys {
  /*
   * elsewhere   read: volatile, at each decay   written: volatile, a new set at each change
   */
  /** The counters that are halved at a time; a call that meets this waits microseconds for it. */
  private static final int HALVING_STEP = 4096;

  private final Hangar hangar;
  private final ColdGate gate = new ColdGate();
  private final CountMinSketch sketch;
  private final HotSet hot;
  private final long decayNanos;
  private final int mostElsewhere;
  private long decayedAt;
  private volatile Set<CounterKey> elsewhere = Set.of();

  HotKeys(CoalesceSettings settings, Hangar hangar) {
    this.hangar = hangar;
    this.sketch =
        CountMinSketch.builder().dimensions(settings.width(), settings.depth()).stripes(1).build();
    this.hot = new HotSet(settings.maxKeys());
    this.mostElsewhere = Math.max(1, settings.maxKeys() / 2);
    this.decayNanos = settings.decayInterval().toNanos();
    this.decayedAt = hangar.now();
  }

  /** Counts a call and returns its key if that is hot. */
  @Nullable HotKey touch(CounterKey key) {
    HotKey present = hot.find(key);
    if (present != null) {
      present.touch();
      return present;
    }
    long threshold = hangar.terms().threshold();
    int first = gate.touch(key.hash());
    long calls = first == ColdGate.FULL ? ColdGate.MOST + sketch.add(key.hash(), 1) : first;
    return calls >= threshold
        ? hot.promote(key, fresh -> new HotKey(fresh, threshold, hangar))
        : null;
  }

  /** Takes the keys that are hot elsewhere, hottest first, in place of those given before. */
  void hotElsewhere(Collection<CounterKey> keys) {
    Set<CounterKey> next =
        keys.stream().limit(mostElsewhere).collect(Collectors.toUnmodifiableSet());
    elsewhere = next;
    // One that finds the set locked is taken at the next time: whoever tells of them repeats it.
    next.forEach(key -> hot.promote(key, fresh -> new HotKey(fresh, 0, hangar)));
  }

  /** Halves all counts if that is due, a few at a time so that no call waits for long. */
  synchronized void maintain() {
    long now = hangar.now();
    if (now - decayedAt < decayNanos) {
      return;
    }
    decayedAt = now;
    hot.decay(hangar.terms().threshold(), elsewhere);
    gate.halve();
    boolean done = false;
    while (!done) {
      done = sketch.halveStep(HALVING_STEP);
    }
  }

  HotSet set() {
    return hot;
  }

  /** Returns the counters in a row of the sketch. */
  int width() {
    return sketch.width();
  }
}
