package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import io.heatshield.time.Ticker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a table: some of its slots, for the keys whose hashes select this stripe.
 *
 * <p>The monitor of a stripe is its lock. The caller of a method holds it; only {@link #now} and
 * {@link #config} need no lock.
 */
final class ContestStripe {
  /** A newcomer must exceed a score by this factor, so that equal keys do not alternate. */
  private static final double MARGIN = 1 + 1.0 / 8;

  private final ContestConfig config;
  private final Ticker ticker;
  private final Xoroshiro random;
  private final KeyIndex<Tracked> index;
  private final LruList lru;
  private final ReferenceTime reference;

  /** The entries, in the first {@code size} slots. */
  private @Nullable Tracked[] slots;

  /** By slot: the entry's score, scaled to the reference time. A contest reads only these. */
  private float[] scaledScores;

  private int size;

  /** The slot of the last probe, if slots are probed in turn. */
  private int lastProbe;

  /** Created by the first contest; null before. */
  private @Nullable UntrackedScores untracked;

  /** The entry that the last touch evicted, until {@link #pollEvicted}. */
  private @Nullable Tracked evicted;

  private final Counts counts = new Counts();

  ContestStripe(int capacity, ContestConfig config, ContestContext context) {
    this.config = config;
    ticker = context.ticker();
    random = Xoroshiro.seeded(context.seeds());
    index = new KeyIndex<>(capacity, context.longKeyHash());
    lru = new LruList(config.lruToleranceNanos());
    reference = new ReferenceTime(config.decay(), config.windowNanos(), ticker.nanos());
    slots = new @Nullable Tracked[capacity];
    scaledScores = new float[capacity];
  }

  /** Adds a touch to the key's entry, or tries to get a slot for the key; null if it gets none. */
  <K> @Nullable Tracked touch(KeyForm<K> form, K key, long hash, long weight, long now) {
    counts.touches++;
    if (reference.isTooOld(now)) {
      moveReference(now);
    }
    Tracked entry = index.find(form, key, hash);
    if (entry != null) {
      addTouch(entry, weight, now);
      return entry;
    }
    if (size < slots.length) {
      return insert(index.store(form, key), hash, (double) weight, now);
    }
    return contest(form, key, hash, weight, now);
  }

  <K> @Nullable Tracked find(KeyForm<K> form, K key, long hash) {
    return index.find(form, key, hash);
  }

  /** Removes the entry of a key and returns it, or returns null if there is none. */
  <K> @Nullable Tracked remove(KeyForm<K> form, K key, long hash) {
    Tracked entry = index.find(form, key, hash);
    if (entry != null) {
      remove(entry);
    }
    return entry;
  }

  /** Returns the entry that the last touch evicted, and then null until the next eviction. */
  @Nullable Tracked pollEvicted() {
    Tracked entry = evicted;
    if (entry != null) {
      evicted = null;
    }
    return entry;
  }

  /** Inserts an entry of a snapshot; returns false if its key exists or no slot is free. */
  boolean restore(KeyScore copy, long now) {
    if (size == slots.length || index.findStored(copy.stored(), copy.hash()) != null) {
      return false;
    }
    Tracked entry = insert(copy.stored(), copy.hash(), copy.scoreAtTouch(), now);
    entry.touchedAt = now - copy.ageNanos();
    entry.listedAt = entry.touchedAt;
    scaledScores[entry.slot] = reference.scale(scoreAt(entry, now), now);
    entry.distinct = copy.distinctState(config.distinct(), now);
    entry.errorShare = copy.errorShare();
    return true;
  }

  /** Changes the number of slots; returns the entries that were evicted, with the lowest scores. */
  List<Tracked> resize(int capacity, long now) {
    var evictedEntries = new ArrayList<Tracked>();
    if (size > capacity) {
      var byScore = new ArrayList<Tracked>();
      forEach(byScore::add);
      byScore.sort(Comparator.comparingDouble(entry -> scoreAt(entry, now)));
      evictedEntries.addAll(byScore.subList(0, size - capacity));
      evictedEntries.forEach(this::remove);
      counts.shrunk += evictedEntries.size();
    }
    @Nullable Tracked[] resized = new @Nullable Tracked[capacity];
    System.arraycopy(slots, 0, resized, 0, size);
    slots = resized;
    scaledScores = Arrays.copyOf(scaledScores, capacity);
    index.resize(capacity);
    untracked = null;
    lastProbe = 0;
    return evictedEntries;
  }

  void forEach(Consumer<Tracked> visitor) {
    for (int i = 0; i < size; i++) {
      Tracked entry = slots[i];
      if (entry != null) {
        visitor.accept(entry);
      }
    }
  }

  double scoreAt(Tracked entry, long now) {
    return config.decay().after(entry.scoreAtTouch, now - entry.touchedAt);
  }

  /** Returns a copy of an entry with its score as of a time. */
  KeyScore copyOf(Tracked entry, long now) {
    double score = scoreAt(entry, now);
    return new KeyScore(
        entry.hash,
        entry.stored,
        entry.scoreAtTouch,
        score,
        config.rate(score),
        entry.errorShare,
        Math.max(0, now - entry.touchedAt),
        distinctOf(entry, now),
        KeyScore.withAge(entry.distinct, now));
  }

  DistinctEstimate distinctOf(Tracked entry, long now) {
    DistinctSettings distinct = config.distinct();
    long[] state = entry.distinct;
    return distinct == null || state == null
        ? DistinctEstimate.NONE
        : distinct.estimate(state, now, random);
  }

  int size() {
    return size;
  }

  int capacity() {
    return slots.length;
  }

  Counts counts() {
    return counts;
  }

  long now() {
    return ticker.nanos();
  }

  ContestConfig config() {
    return config;
  }

  Xoroshiro random() {
    return random;
  }

  private void addTouch(Tracked entry, long weight, long now) {
    long gap = now - entry.touchedAt;
    entry.scoreAtTouch = config.decay().touched(entry.scoreAtTouch, gap, weight);
    if (entry.errorShare > 0) {
      // Decay scales the score and its error alike, so only the added weight changes the share.
      entry.errorShare *= (float) (1 - (weight / entry.scoreAtTouch));
    }
    if (gap > 0) {
      entry.touchedAt = now;
      lru.touched(entry, now);
    }
    scaledScores[entry.slot] = reference.scale(entry.scoreAtTouch, now);
  }

  /** Gives a newcomer the slot of an idle entry, or of the lowest probed one if it scores more. */
  private <K> @Nullable Tracked contest(KeyForm<K> form, K key, long hash, long weight, long now) {
    counts.contests++;
    UntrackedScores sketch = untracked;
    if (sketch == null) {
      sketch = new UntrackedScores(slots.length);
      untracked = sketch;
    }
    float scaledWeight = reference.scale((double) weight, now);
    float newcomerScore = sketch.add(hash, scaledWeight);
    Tracked oldest = lru.leastRecentlyTouched();
    Tracked victim;
    if (now - oldest.touchedAt > config.windowNanos()) {
      counts.expired++;
      victim = oldest;
    } else {
      victim = lowestOfProbed(oldest);
      if (newcomerScore <= MARGIN * scaledScores[victim.slot]) {
        counts.rejected++;
        return null;
      }
      counts.replaced++;
    }
    sketch.raiseTo(victim.hash, scaledScores[victim.slot]);
    remove(victim);
    evicted = victim;
    Tracked winner =
        insert(index.store(form, key), hash, newcomerScore / reference.factor(now), now);
    winner.errorShare = (newcomerScore - scaledWeight) / newcomerScore;
    return winner;
  }

  /** Returns the entry with the lowest score of the given one and those probed. */
  private Tracked lowestOfProbed(Tracked given) {
    Tracked lowest = given;
    float lowestScore = scaledScores[given.slot];
    for (int probe = Math.max(config.probes(), 1); probe > 0; probe--) {
      int slot = config.probes() > 0 ? random.below(size) : nextProbe();
      if (scaledScores[slot] < lowestScore) {
        Tracked entry = slots[slot];
        if (entry != null) {
          lowestScore = scaledScores[slot];
          lowest = entry;
        }
      }
    }
    return lowest;
  }

  private int nextProbe() {
    lastProbe = lastProbe + 1 < size ? lastProbe + 1 : 0;
    return lastProbe;
  }

  private Tracked insert(byte[] stored, long hash, double score, long now) {
    var entry = new Tracked(this, hash, stored, score, now);
    entry.slot = size;
    slots[size] = entry;
    scaledScores[size++] = reference.scale(score, now);
    index.add(entry);
    lru.add(entry, now);
    return entry;
  }

  /** Removes an entry; the entry in the last slot moves to its slot. */
  private void remove(Tracked entry) {
    index.remove(entry);
    lru.remove(entry);
    Tracked last = slots[--size];
    slots[size] = null;
    if (last != null && last != entry) {
      slots[entry.slot] = last;
      scaledScores[entry.slot] = scaledScores[size];
      last.slot = entry.slot;
    }
    entry.markEvicted();
  }

  private void moveReference(long now) {
    float factor = reference.moveTo(now);
    for (int i = 0; i < size; i++) {
      scaledScores[i] *= factor;
    }
    if (untracked != null) {
      untracked.rescale(factor);
    }
  }

  /** The event counts of a stripe; {@link ContestStats} explains them. */
  static final class Counts {
    long touches;
    long contests;
    long expired;
    long replaced;
    long shrunk;
    long rejected;

    void add(Counts other) {
      touches += other.touches;
      contests += other.contests;
      expired += other.expired;
      replaced += other.replaced;
      shrunk += other.shrunk;
      rejected += other.rejected;
    }
  }
}
