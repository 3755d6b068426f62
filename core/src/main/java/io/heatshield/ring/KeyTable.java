package io.heatshield.ring;

import io.heatshield.count.Counter;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.time.Ticker;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The table behind a ring: finds, admits, ages and takes out entries. */
final class KeyTable {
  private static final int MAX_SEGMENT_BITS = 6;
  private static final int MIN_CELL_BITS = 3;
  private static final long SCOPE_STEP = 0x9e3779b97f4a7c15L;

  /** What the segments have no count of; every sum is exact when nobody is counting. */
  final Counter lapsed = new Counter();

  final Counter clamps = new Counter();
  final LongAdder inserts = new LongAdder();
  final LongAdder removes = new LongAdder();
  final LongAdder drops = new LongAdder();
  final LongAdder displaced = new LongAdder();
  final LongAdder expired = new LongAdder();

  final RingConfig config;
  final KeyHash hash;
  final Beats beats;
  final Places places;
  private final KeyHash second;
  private final Contest contest;
  private final Segment[] segments;
  private final int segmentShift;
  private final boolean limitsNth;
  private final boolean notes;
  private final @Nullable RingObserver observer;

  KeyTable(RingConfig config, HashSecret secret, Ticker ticker, @Nullable RingObserver observer) {
    this.config = config;
    this.observer = observer;
    limitsNth = config.policy() == ClampPolicy.LIMITS_NTH;
    hash = KeyHash.fast(secret);
    second = KeyHash.sip13(secret);
    beats = new Beats(config, ticker);
    places = new Places(config);
    contest = new Contest(this, config, places);
    int segmentBits = Math.max(0, Math.min(MAX_SEGMENT_BITS, config.bits() - MIN_CELL_BITS));
    segments = new Segment[1 << segmentBits];
    int singles = Integer.highestOneBit(config.singles() >> segmentBits);
    for (int i = 0; i < segments.length; i++) {
      segments[i] =
          new Segment(
              1 << (config.bits() - segmentBits),
              singles < Singles.LOOKS ? null : new Singles(beats, singles));
    }
    notes = singles >= Singles.LOOKS;
    segmentShift = Long.SIZE - segmentBits;
  }

  <K> long touch(KeyForm<K> form, byte scope, K key, long keyHash) {
    long mixed = mix(keyHash, scope);
    Moment moment = beats.at(beats.nanos());
    Entry entry = segment(mixed).find(form, scope, key, mixed, second);
    long count = entry == null ? Entry.GONE : raise(entry, moment);
    if (count == Entry.GONE) {
      return touchAbsent(form, scope, key, mixed, moment);
    }
    if (observer != null && entry != null) {
      observer.touched(KeyCount.of(entry, count));
    }
    return count;
  }

  <K> long count(KeyForm<K> form, byte scope, K key, long keyHash) {
    long mixed = mix(keyHash, scope);
    Moment moment = beats.at(beats.nanos());
    Entry entry = segment(mixed).find(form, scope, key, mixed, second);
    if (notes && (entry == null || entry.isDead())) {
      if (segment(mixed).isNoted(mixed, moment)) {
        return 1;
      }
      entry = segment(mixed).find(form, scope, key, mixed, second);
    }
    if (entry == null) {
      return 0;
    }
    bringTo(entry, moment);
    return entry.count();
  }

  /**
   * Looks at entries and their keys: all cells, then all entries, then all keys. The looks of one
   * round do not wait for each other, and nothing is written that would make them.
   */
  int fetch(byte scope, long[] hashes, int count) {
    var entries = new @Nullable Entry[count];
    for (int i = 0; i < count; i++) {
      long mixed = mix(hashes[i], scope);
      entries[i] = segment(mixed).first(mixed);
    }
    for (int i = 0; i < count; i++) {
      Entry entry = entries[i];
      if (entry != null && entry.hash != mix(hashes[i], scope)) {
        long mixed = mix(hashes[i], scope);
        entries[i] = segment(mixed).find(mixed);
      }
    }
    int found = 0;
    for (Entry entry : entries) {
      found += entry == null || entry.key.length < 0 || entry.isDead() ? 0 : 1;
    }
    return found;
  }

  /** Clamps a key; the answer is packed as {@link Clamp} says. */
  <K> long clamp(KeyForm<K> form, byte scope, K key, long keyHash, long limit) {
    long mixed = mix(keyHash, scope);
    long now = beats.nanos();
    Moment moment = beats.at(now);
    long most = limit > 0 ? limit : Long.MAX_VALUE;
    Entry entry = segment(mixed).find(form, scope, key, mixed, second);
    long answer = entry == null ? Entry.GONE : admit(entry, most, moment);
    return entry == null || answer == Entry.GONE
        ? clampAbsent(form, scope, key, mixed, most, moment, now)
        : settle(entry, answer, most, moment, now);
  }

  /** Returns how long until a limited key has room. */
  <K> long roomNanos(KeyForm<K> form, byte scope, K key, long keyHash, long limit) {
    long mixed = mix(keyHash, scope);
    Entry entry = segment(mixed).find(form, scope, key, mixed, second);
    return entry == null ? 0 : roomNanos(entry, limit);
  }

  <K> long remove(KeyForm<K> form, byte scope, K key, long keyHash) {
    long mixed = mix(keyHash, scope);
    Moment moment = beats.at(beats.nanos());
    for (; ; ) {
      Entry entry = segment(mixed).find(form, scope, key, mixed, second);
      if (entry != null) {
        bringTo(entry, moment);
        long state = entry.kill();
        if (state != Entry.GONE) {
          takeOut(entry, state, moment);
          removes.increment();
          return entry.count(state);
        }
      }
      if (notes && segment(mixed).unnote(mixed, moment)) {
        lapsed.add(1);
        removes.increment();
        return 1;
      }
      Entry again = notes ? segment(mixed).find(form, scope, key, mixed, second) : null;
      if (again == null || again.isDead()) {
        return 0;
      }
    }
  }

  /** Shows every live entry to a visitor, brought to the moment; takes out what has run out. */
  void forEach(Moment moment, Consumer<Entry> visitor) {
    for (Segment segment : segments) {
      @Nullable Entry[] cells = segment.snapshot();
      for (int i = 0; i < cells.length; i++) {
        Entry entry = Segment.at(cells, i);
        if (entry != null && !expire(entry, moment)) {
          bringTo(entry, moment);
          visitor.accept(entry);
        }
      }
    }
  }

  /** Turns an entry that time has passed by. */
  void bringTo(Entry entry, Moment moment) {
    if (entry instanceof TimedEntry timed && timed.isBehind(moment)) {
      long unused = timed.turn(this, moment, 0);
    }
  }

  /** Hears from an entry that it was turned: the count that was left and what has lapsed. */
  void turned(Entry entry, long count, long gone) {
    if (gone > 0) {
      lapsed.add(gone);
      if (observer != null && beats.decays()) {
        observer.decayed(KeyCount.of(entry, count), gone);
      }
    }
  }

  /** Takes an entry out if it has run out. */
  boolean expire(Entry entry, Moment moment) {
    long state = entry.state();
    if (!entry.hasRunOut(beats, moment) || !entry.kill(state)) {
      return false;
    }
    takeOut(entry, state, moment);
    expired.increment();
    return true;
  }

  /** Takes out an entry that lost its place to a newcomer, who has it now. */
  void displaced(Entry entry, long state) {
    lapsed.add(entry.sum(state));
    segment(entry.hash).takeOut(entry);
    displaced.increment();
  }

  /** Shows what was noted of keys that were touched once, segment by segment. */
  void forEachSingles(Consumer<Singles> visitor) {
    for (Segment segment : segments) {
      segment.withSingles(visitor);
    }
  }

  long cells() {
    long cells = 0;
    for (Segment segment : segments) {
      cells += segment.cells();
    }
    return cells;
  }

  int longestProbe() {
    int longest = 0;
    for (Segment segment : segments) {
      longest = Math.max(longest, segment.longestProbe());
    }
    return longest;
  }

  /** Returns how many turns of the hand, a block of cells each, pass every cell. */
  long turnsAround(int block) {
    int most = block;
    for (Segment segment : segments) {
      most = Math.max(most, segment.cells());
    }
    return (long) segments.length * (most / block);
  }

  Segment segmentOfTurn(long turn) {
    return segments[(int) turn & (segments.length - 1)];
  }

  int cellOfTurn(long turn, int block) {
    return (int) (turn / segments.length) * block;
  }

  private long raise(Entry entry, Moment moment) {
    return entry instanceof TimedEntry timed && timed.isBehind(moment)
        ? timed.turn(this, moment, Long.MAX_VALUE)
        : entry.raise();
  }

  private long admit(Entry entry, long limit, Moment moment) {
    return entry instanceof TimedEntry timed && timed.isBehind(moment)
        ? timed.turn(this, moment, limit)
        : entry.admit(limit);
  }

  /** Packs what {@link Entry#admit} has answered. */
  private long settle(Entry entry, long admitted, long limit, Moment moment, long now) {
    long answer = admitted;
    if (admitted < 0 || (limitsNth && admitted >= limit)) {
      clamps.add(1);
      long room = entry.roomNanos(limit, beats, moment, now);
      answer = Clamp.pack(admitted < 0 ? ~admitted : admitted, room);
    }
    if (observer != null) {
      observer.clamped(KeyCount.of(entry, entry.count()), answered(answer, entry, limit));
    }
    return answer;
  }

  private Clamp answered(long answer, Entry entry, long limit) {
    return answer == Clamp.UNPACKABLE
        ? Clamp.limited(Math.max(entry.count(), limit), roomNanos(entry, limit))
        : Clamp.unpack(answer);
  }

  private long roomNanos(Entry entry, long limit) {
    long now = beats.nanos();
    return entry.roomNanos(limit, beats, beats.at(now), now);
  }

  private <K> long touchAbsent(KeyForm<K> form, byte scope, K key, long mixed, Moment moment) {
    for (; ; ) {
      if (notes && segment(mixed).note(form, scope, key, mixed, second, moment)) {
        return 1;
      }
      Entry made = newcomer(form, scope, key, mixed, moment);
      Entry entry = made == null ? liveOrDrop(form, scope, key, mixed) : keep(made, moment);
      if (entry == null) {
        return 0;
      }
      long count = entry == made && !made.inherits() ? 1 : raise(entry, moment);
      if (count != Entry.GONE) {
        if (observer != null) {
          observer.touched(KeyCount.of(entry, count));
        }
        return count;
      }
    }
  }

  private <K> long clampAbsent(
      KeyForm<K> form, byte scope, K key, long mixed, long limit, Moment moment, long now) {
    for (; ; ) {
      if (notes && limit > 1 && segment(mixed).note(form, scope, key, mixed, second, moment)) {
        return 1;
      }
      Entry made = newcomer(form, scope, key, mixed, moment);
      Entry entry = made == null ? liveOrDrop(form, scope, key, mixed) : keep(made, moment);
      if (entry == null) {
        return Clamp.UNTRACKED;
      }
      long answer = entry == made && !made.inherits() ? 1 : admit(entry, limit, moment);
      if (answer != Entry.GONE) {
        return settle(entry, answer, limit, moment, now);
      }
    }
  }

  /**
   * Returns an entry for a key that was not there, with its first touch; null if there is no place.
   */
  private <K> @Nullable Entry newcomer(
      KeyForm<K> form, byte scope, K key, long mixed, Moment moment) {
    int size = config.footprint(form.storedLength(key));
    if (!places.claim(size, moment) && !contest.win(mixed, size, moment)) {
      return null;
    }
    return beats.entry(mixed, scope, form.store(key, second), moment);
  }

  /** Puts a newcomer in and returns it, or the entry of the thread that was first. */
  private Entry keep(Entry made, Moment moment) {
    Entry entry = segment(made.hash).put(made, beats, moment);
    if (entry == made) {
      inserts.add(made.inherits() ? 0 : 1);
      contest.reclaim(moment, 1);
    } else {
      places.release(config.footprint(made.key.length), true, moment);
    }
    return entry;
  }

  /** Returns the entry that another thread has brought in meanwhile, or counts a drop. */
  private <K> @Nullable Entry liveOrDrop(KeyForm<K> form, byte scope, K key, long mixed) {
    Entry other = segment(mixed).find(form, scope, key, mixed, second);
    if (other == null || other.isDead()) {
      drops.increment();
      return null;
    }
    return other;
  }

  private void takeOut(Entry entry, long state, Moment moment) {
    lapsed.add(entry.sum(state));
    segment(entry.hash).takeOut(entry);
    places.release(config.footprint(entry.key.length), entry.isActive(moment), moment);
  }

  /** Sets the keys of two scopes apart; the same text in 256 scopes still spreads. */
  private static long mix(long keyHash, byte scope) {
    return keyHash + scope * SCOPE_STEP;
  }

  private Segment segment(long mixed) {
    return segments[segmentShift == Long.SIZE ? 0 : (int) (mixed >>> segmentShift)];
  }
}
