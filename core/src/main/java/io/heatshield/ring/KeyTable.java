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
  /*
   * touch has the ways of a key that is there and needs no turn, and leaves all others to touchOther. clamp is one
   * piece on purpose: with more than 325 bytes of code it is never inlined, so that what calls it stays small, is
   * inlined itself and takes the record apart that it makes of the answer. See ADR-0061.
   */
  private static final int MAX_SEGMENT_BITS = 6;
  private static final int SEGMENT_SHIFT = Long.SIZE - MAX_SEGMENT_BITS;
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
  final KeyHash second;
  private final boolean bare;
  private final Contest contest;
  private final Segment[] segments;
  private final Cells[] cells;
  private final int early;
  private final boolean notes;
  private final @Nullable RingObserver observer;

  KeyTable(RingConfig config, HashSecret secret, Ticker ticker, @Nullable RingObserver observer) {
    this.config = config;
    this.observer = observer;
    early = config.policy() == ClampPolicy.LIMITS_NTH ? 1 : 0;
    hash = KeyHash.fast(secret);
    second = KeyHash.second(secret);
    beats = new Beats(config, ticker);
    bare = observer == null && !beats.isTimed();
    places = new Places(config);
    contest = new Contest(this, config, places);
    int segmentBits = Math.max(0, Math.min(MAX_SEGMENT_BITS, config.startBits() - MIN_CELL_BITS));
    segments = new Segment[1 << segmentBits];
    cells = new Cells[1 << segmentBits];
    int singles = Integer.highestOneBit(config.singles() >> segmentBits);
    for (int i = 0; i < segments.length; i++) {
      segments[i] =
          new Segment(
              cells,
              i,
              1 << (config.startBits() - segmentBits),
              singles < Singles.LOOKS ? null : new Singles(beats, singles, config.singleTouches()));
    }
    notes = singles >= Singles.LOOKS;
  }

  /** Returns the entry of a key, which may be dead, or null. */
  @Nullable Entry find(long mixed, long check) {
    return cells(mixed).find(mixed, check);
  }

  <K> long touch(KeyForm<K> form, byte scope, K key, long keyHash, long check) {
    long mixed = mix(keyHash, scope);
    Entry entry = find(mixed, check);
    if (bare && entry != null) {
      long count = entry.raise();
      if (count != Entry.GONE) {
        return count;
      }
    }
    Moment moment = beats.now();
    if (observer == null && entry instanceof WindowEntry window && !window.isBehind(moment)) {
      long count = window.raise();
      if (count != Entry.GONE) {
        return count;
      }
    }
    return touchOther(form, scope, key, mixed, check, moment, entry);
  }

  long count(byte scope, long keyHash, long check) {
    long mixed = mix(keyHash, scope);
    Moment moment = beats.now();
    Entry entry = find(mixed, check);
    if (notes && (entry == null || entry.isDead())) {
      int noted = segment(mixed).noted(mixed, moment);
      if (noted > 0) {
        return noted;
      }
      entry = find(mixed, check);
    }
    if (entry == null) {
      return 0;
    }
    bringTo(entry, moment);
    return entry.count();
  }

  /**
   * Looks at cells, then at entries. The looks of one round do not wait for each other, and nothing
   * is written that would make them.
   */
  int fetch(byte scope, long[] hashes, int count) {
    var entries = new @Nullable Entry[count];
    for (int i = 0; i < count; i++) {
      long mixed = mix(hashes[i], scope);
      entries[i] = cells(mixed).find(mixed);
    }
    int found = 0;
    for (Entry entry : entries) {
      found += entry == null || entry.isDead() ? 0 : 1;
    }
    return found;
  }

  /** Clamps a key; the answer is packed as {@link Clamp} says. */
  <K> long clamp(KeyForm<K> form, byte scope, K key, long keyHash, long check, long limit) {
    long mixed = mix(keyHash, scope);
    long most = limit > 0 ? limit : Long.MAX_VALUE;
    Beats time = beats;
    long now = time.nanos();
    Moment moment = time.at(now);
    Entry entry = find(mixed, check);
    long answer = Entry.GONE;
    if (entry instanceof WindowEntry window && !window.isBehind(moment)) {
      answer = window.admit(most);
    } else if (entry != null) {
      answer = admit(entry, most, moment);
    }
    while (entry == null || answer == Entry.GONE) {
      int noted = notes ? segment(mixed).note(mixed, check, moment, most) : 0;
      if (noted > 0) {
        return noted;
      }
      Entry made = newcomer(form, scope, key, mixed, moment);
      entry = made == null ? liveOrDrop(mixed, check) : keep(made, check, moment);
      if (entry == null) {
        return Clamp.UNTRACKED;
      }
      answer = entry == made && !made.inherits() ? 1 : admit(entry, most, moment);
    }
    if (answer < 0 || (early > 0 && answer >= most)) {
      clamps.add(1);
      long room =
          entry instanceof WindowEntry window
              ? window.roomNanos(most - early, time, moment, now)
              : entry.roomNanos(most - early, time, moment, now);
      answer = Clamp.pack(answer < 0 ? ~answer : answer, room);
    }
    if (observer != null) {
      Clamp told =
          answer == Clamp.UNPACKABLE
              ? Clamp.limited(Math.max(entry.count(), most), roomNanos(entry, most))
              : Clamp.unpack(answer);
      observer.clamped(KeyCount.of(entry, entry.count()), told);
    }
    return answer;
  }

  /** Returns how long until a limited key has room. */
  long roomNanos(byte scope, long keyHash, long check, long limit) {
    Entry entry = find(mix(keyHash, scope), check);
    return entry == null ? 0 : roomNanos(entry, limit);
  }

  long remove(byte scope, long keyHash, long check) {
    long mixed = mix(keyHash, scope);
    Moment moment = beats.now();
    for (; ; ) {
      Entry entry = find(mixed, check);
      if (entry != null) {
        bringTo(entry, moment);
        long state = entry.kill();
        if (state != Entry.GONE) {
          takeOut(entry, state, moment);
          removes.increment();
          return entry.count(state);
        }
      }
      int noted = notes ? segment(mixed).unnote(mixed, moment) : 0;
      if (noted > 0) {
        lapsed.add(noted);
        removes.increment();
        return noted;
      }
      Entry again = notes ? find(mixed, check) : null;
      if (again == null || again.isDead()) {
        return 0;
      }
    }
  }

  /** Shows every live entry to a visitor, brought to the moment; takes out what has run out. */
  void forEach(Moment moment, Consumer<Entry> visitor) {
    for (Segment segment : segments) {
      Cells cells = segment.cells();
      for (int i = 0; i < cells.length(); i++) {
        Entry entry = cells.liveAt(i);
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
      cells += segment.cells().length();
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
      most = Math.max(most, segment.cells().length());
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
    if (entry instanceof TimedEntry timed && timed.mustTurn(moment)) {
      return timed.turn(this, moment, Long.MAX_VALUE);
    }
    long total = entry.raise();
    return total == Entry.GONE ? Entry.GONE : entry.larger(total);
  }

  private long admit(Entry entry, long limit, Moment moment) {
    return entry instanceof TimedEntry timed && timed.mustTurn(moment)
        ? timed.turn(this, moment, limit)
        : entry.admit(limit);
  }

  private long roomNanos(Entry entry, long limit) {
    long now = beats.nanos();
    return entry.roomNanos(limit - early, beats, beats.at(now), now);
  }

  /** Touches a key by any of the ways that are rarer than the one for a key that is there. */
  private <K> long touchOther(
      KeyForm<K> form,
      byte scope,
      K key,
      long mixed,
      long check,
      Moment moment,
      @Nullable Entry found) {
    Entry entry = found;
    long count = entry == null ? Entry.GONE : raise(entry, moment);
    for (; count == Entry.GONE; count = raise(entry, moment)) {
      int noted = notes ? segment(mixed).note(mixed, check, moment, Long.MAX_VALUE) : 0;
      if (noted > 0) {
        return noted;
      }
      Entry made = newcomer(form, scope, key, mixed, moment);
      entry = made == null ? liveOrDrop(mixed, check) : keep(made, check, moment);
      if (entry == null) {
        return 0;
      }
      if (entry == made && !made.inherits()) {
        count = 1;
        break;
      }
    }
    if (observer != null && entry != null) {
      observer.touched(KeyCount.of(entry, count));
    }
    return count;
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
  private Entry keep(Entry made, long check, Moment moment) {
    Entry entry = segment(made.hash).put(made, check, moment);
    if (entry == made) {
      inserts.add(made.inherits() ? 0 : 1);
      contest.reclaim(moment, 1);
    } else {
      places.release(config.footprint(made.key.length), true, moment);
    }
    return entry;
  }

  /** Returns the entry that another thread has brought in meanwhile, or counts a drop. */
  private @Nullable Entry liveOrDrop(long mixed, long check) {
    Entry other = find(mixed, check);
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
  static long mix(long keyHash, byte scope) {
    return keyHash + scope * SCOPE_STEP;
  }

  private Cells cells(long mixed) {
    return Segment.cells(cells, (int) (mixed >>> SEGMENT_SHIFT) & (cells.length - 1));
  }

  private Segment segment(long mixed) {
    return segments[(int) (mixed >>> SEGMENT_SHIFT) & (segments.length - 1)];
  }
}
