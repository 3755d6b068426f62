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
 * The part of a table that holds the keys with certain hashes, and one lock: its own monitor.
 *
 * <p>Whoever calls a method holds the monitor, but for {@link #now} and {@link #config}.
 */
final class ContestStripe {
  /** How many held entries are passed by before the least recently touched is given up on. */
  private static final int MOST_HELD = 8;

  /** A newcomer wins by at least this share of the loser's score: equals do not take turns. */
  private static final double MARGIN = 1 + 1.0 / 8;

  private final ContestConfig config;
  private final Ticker ticker;
  private final Xoroshiro random;
  private final KeyIndex<Tracked> index;
  private final Recency recency;
  private final Landmark landmark;
  private @Nullable Tracked[] slots;

  /** The score of each slot's entry as of the landmark: what contests compare, close together. */
  private float[] marks;

  private int size;
  private int hand;
  private @Nullable RefusedScores refused;
  private @Nullable Tracked evicted;
  private Counts counts = new Counts();

  ContestStripe(int capacity, ContestConfig config, Ticker ticker, Xoroshiro random) {
    this.config = config;
    this.ticker = ticker;
    this.random = random;
    index = new KeyIndex<>(capacity, config.second());
    recency = new Recency(config.orderNanos());
    landmark = new Landmark(config.decay(), config.windowNanos(), ticker.nanos());
    slots = new @Nullable Tracked[capacity];
    marks = new float[capacity];
  }

  <K> Touched touch(KeyForm<K> form, K key, long hash, long weight, long now) {
    counts.touches++;
    if (landmark.isDue(now)) {
      moveLandmark(now);
    }
    Tracked entry = index.find(form, key, hash);
    if (entry != null) {
      long gap = now - entry.last;
      entry.score = config.decay().touched(entry.score, gap, weight);
      if (entry.doubt > 0) {
        // Fading takes both alike, so only what comes in changes the share.
        entry.doubt *= (float) (1 - (weight / entry.score));
      }
      if (gap > 0) {
        entry.last = now;
        recency.touched(entry, now);
      }
      marks[entry.slot] = landmark.mark(entry.score, now);
      return entry;
    }
    if (size < slots.length) {
      return admit(index.store(form, key), hash, (double) weight, now);
    }
    return contest(form, key, hash, weight, now);
  }

  <K> @Nullable Tracked find(KeyForm<K> form, K key, long hash) {
    return index.find(form, key, hash);
  }

  /** Takes a key out and returns its entry, or null. */
  <K> @Nullable Tracked remove(KeyForm<K> form, K key, long hash) {
    Tracked entry = index.find(form, key, hash);
    if (entry != null) {
      takeOut(entry);
    }
    return entry;
  }

  /** Returns the entry that the last touch evicted, once. */
  @Nullable Tracked takeEvicted() {
    Tracked entry = evicted;
    if (entry != null) {
      evicted = null;
    }
    return entry;
  }

  /** Puts in an entry of a snapshot; returns false if its key is there or no slot is free. */
  boolean restore(Standing standing, long now) {
    if (size == slots.length || index.findStored(standing.stored(), standing.hash()) != null) {
      return false;
    }
    Tracked entry = admit(standing.stored(), standing.hash(), standing.scoreAtTouch(), now);
    entry.last = now - standing.ageNanos();
    entry.ordered = entry.last;
    marks[entry.slot] = landmark.mark(scoreAt(entry, now), now);
    entry.distinct = standing.distinctState(config.cardinality(), now);
    entry.doubt = standing.doubt();
    return true;
  }

  /** Changes the number of slots, and returns the entries with the lowest scores that had to go. */
  List<Tracked> resize(int capacity, long now) {
    var gone = new ArrayList<Tracked>();
    if (size > capacity) {
      var byScore = new ArrayList<Tracked>();
      forEach(byScore::add);
      byScore.sort(Comparator.comparingDouble(entry -> scoreAt(entry, now)));
      gone.addAll(byScore.subList(0, size - capacity));
      gone.forEach(this::takeOut);
      counts.shrunk += gone.size();
    }
    @Nullable Tracked[] kept = new @Nullable Tracked[capacity];
    System.arraycopy(slots, 0, kept, 0, size);
    slots = kept;
    marks = Arrays.copyOf(marks, capacity);
    index.resize(capacity);
    refused = null;
    hand = 0;
    return gone;
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
    return config.decay().after(entry.score, now - entry.last);
  }

  Standing standing(Tracked entry, long now) {
    double score = scoreAt(entry, now);
    return new Standing(
        entry.hash,
        entry.stored,
        entry.score,
        score,
        config.rate(score),
        entry.doubt,
        Math.max(0, now - entry.last),
        distinctOf(entry, now),
        Standing.relative(entry.distinct, now));
  }

  Distinct distinctOf(Tracked entry, long now) {
    Cardinality cardinality = config.cardinality();
    long[] state = entry.distinct;
    return cardinality == null || state == null
        ? Distinct.NONE
        : cardinality.estimate(state, now, random);
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

  void resetCounts() {
    counts = new Counts();
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

  private <K> Touched contest(KeyForm<K> form, K key, long hash, long weight, long now) {
    counts.contests++;
    RefusedScores scores = refused;
    if (scores == null) {
      scores = new RefusedScores(slots.length);
      refused = scores;
    }
    float own = landmark.mark((double) weight, now);
    float mark = scores.touch(hash, own);
    Tracked oldest = leastRecent();
    Tracked loser;
    if (oldest != null && now - oldest.last > config.windowNanos()) {
      counts.expired++;
      loser = oldest;
    } else {
      loser = lowest(oldest);
      if (loser == null) {
        counts.vetoed++;
        return Touched.Refusal.NO_CANDIDATE;
      }
      if (mark <= MARGIN * marks[loser.slot]) {
        counts.lost++;
        return Touched.Refusal.LOST;
      }
      counts.replaced++;
    }
    scores.remember(loser.hash, marks[loser.slot]);
    takeOut(loser);
    evicted = loser;
    Tracked winner = admit(index.store(form, key), hash, mark / landmark.gain(now), now);
    winner.doubt = (mark - own) / mark;
    return winner;
  }

  /** Returns the least recently touched entry that is not held, of a few; null if all are. */
  private @Nullable Tracked leastRecent() {
    Tracked entry = recency.oldest();
    for (int held = 0; entry != null && entry.isHeld(); held++) {
      entry = held < MOST_HELD ? entry.newer : null;
    }
    return entry;
  }

  /** Returns the entry with the lowest score of those probed and the one given; null if none. */
  private @Nullable Tracked lowest(@Nullable Tracked given) {
    Tracked lowest = given;
    float least = given == null ? Float.POSITIVE_INFINITY : marks[given.slot];
    for (int probe = Math.max(config.probes(), 1); probe > 0; probe--) {
      int slot = config.probes() > 0 ? random.below(size) : turnHand();
      if (marks[slot] < least) {
        Tracked entry = slots[slot];
        if (entry != null && !entry.isHeld()) {
          least = marks[slot];
          lowest = entry;
        }
      }
    }
    return lowest;
  }

  private int turnHand() {
    hand = hand + 1 < size ? hand + 1 : 0;
    return hand;
  }

  private Tracked admit(byte[] stored, long hash, double score, long now) {
    var entry = new Tracked(this, hash, stored, score, now);
    entry.slot = size;
    slots[size] = entry;
    marks[size++] = landmark.mark(score, now);
    index.put(entry);
    recency.add(entry, now);
    return entry;
  }

  private void takeOut(Tracked entry) {
    index.remove(entry);
    recency.remove(entry);
    Tracked last = slots[--size];
    slots[size] = null;
    if (last != null && last != entry) {
      slots[entry.slot] = last;
      marks[entry.slot] = marks[size];
      last.slot = entry.slot;
    }
    entry.evict();
  }

  private void moveLandmark(long now) {
    float factor = landmark.moveTo(now);
    for (int i = 0; i < size; i++) {
      marks[i] *= factor;
    }
    if (refused != null) {
      refused.scale(factor);
    }
  }

  /** What happened in a stripe; guarded by its lock. */
  static final class Counts {
    long touches;
    long contests;
    long expired;
    long replaced;
    long shrunk;
    long lost;
    long vetoed;

    void add(Counts other) {
      touches += other.touches;
      contests += other.contests;
      expired += other.expired;
      replaced += other.replaced;
      shrunk += other.shrunk;
      lost += other.lost;
      vetoed += other.vetoed;
    }
  }
}
