package io.heatshield.ring;

import io.heatshield.count.Counter;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.ring.WindowClock.Epoch;
import io.heatshield.time.Ticker;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The table behind a ring: finds, inserts, advances and takes out entries. */
final class EntryTable {
  private static final int MAX_SEGMENT_BITS = 6;
  private static final int SEGMENT_SHIFT = Long.SIZE - MAX_SEGMENT_BITS;
  private static final int MIN_CELL_BITS = 3;
  private static final long SCOPE_STEP = 0x9e3779b97f4a7c15L;

  /** Touches that no live entry counts any longer. */
  final Counter lapsed = new Counter();

  final Counter clamps = new Counter();
  final LongAdder inserts = new LongAdder();
  final LongAdder removes = new LongAdder();
  final LongAdder drops = new LongAdder();
  final LongAdder displaced = new LongAdder();
  final LongAdder expired = new LongAdder();

  final RingConfig config;
  final KeyHash hash;
  final KeyHash second;
  final WindowClock clock;
  final Capacity capacity;
  private final Admission admission;
  private final Segment[] segments;
  private final boolean timed;
  private final int early;
  private final @Nullable RingObserver observer;

  EntryTable(RingConfig config, HashSecret secret, Ticker ticker, @Nullable RingObserver observer) {
    this.config = config;
    this.observer = observer;
    early = config.policy() == ClampPolicy.LIMITS_NTH ? 1 : 0;
    hash = KeyHash.fast(secret);
    second = KeyHash.second(secret);
    clock = new WindowClock(config, ticker);
    timed = clock.isTimed();
    capacity = new Capacity(config);
    int segmentBits = Math.max(0, Math.min(MAX_SEGMENT_BITS, config.startBits() - MIN_CELL_BITS));
    segments = new Segment[1 << segmentBits];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = new Segment(1 << (config.startBits() - segmentBits));
    }
    admission = new Admission(this, config, capacity, segments);
  }

  /** Counts one touch and returns the new count, or 0 if the ring has no room for the key. */
  <K> long touch(KeyForm<K> form, byte scope, K key, long keyHash, long check) {
    long mixed = mix(keyHash, scope);
    Epoch now = clock.now();
    Entry entry = find(mixed, check);
    long count = entry == null ? Entry.GONE : raise(entry, now);
    while (count == Entry.GONE) {
      entry = insert(form, scope, key, mixed, check, now);
      if (entry == null) {
        return 0;
      }
      count = raise(entry, now);
    }
    if (observer != null && entry != null) {
      observer.touched(KeyCount.of(entry, count));
    }
    return count;
  }

  long count(byte scope, long keyHash, long check) {
    Epoch now = clock.now();
    Entry entry = find(mix(keyHash, scope), check);
    if (entry == null) {
      return 0;
    }
    advance(entry, now);
    return entry.count();
  }

  /**
   * Loads cells, then entries, into the processor's caches. The loads of one loop do not wait for
   * each other.
   */
  int fetch(byte scope, long[] hashes, int count) {
    var entries = new @Nullable Entry[count];
    for (int i = 0; i < count; i++) {
      long mixed = mix(hashes[i], scope);
      entries[i] = segment(mixed).cells().find(mixed);
    }
    int found = 0;
    for (Entry entry : entries) {
      found += entry == null || entry.isDead() ? 0 : 1;
    }
    return found;
  }

  /**
   * Counts one touch if the key is below its limit. Returns the new count; or the complement of the
   * count if the call was limited; or {@link Clamp#UNTRACKED} if the ring has no room for the key.
   */
  <K> long clamp(KeyForm<K> form, byte scope, K key, long keyHash, long check, long limit) {
    long mixed = mix(keyHash, scope);
    long most = limit > 0 ? limit : Long.MAX_VALUE;
    Epoch now = clock.now();
    Entry entry = find(mixed, check);
    long answer = entry == null ? Entry.GONE : admit(entry, most, now);
    while (answer == Entry.GONE) {
      entry = insert(form, scope, key, mixed, check, now);
      if (entry == null) {
        return Clamp.UNTRACKED;
      }
      answer = admit(entry, most, now);
    }
    if (early > 0 && answer >= most) {
      answer = ~answer;
    }
    if (answer < 0) {
      clamps.add(1);
    }
    if (observer != null && entry != null) {
      long room = answer < 0 ? roomNanos(entry, limit) : 0;
      observer.clamped(KeyCount.of(entry, entry.count()), Clamp.of(answer, room));
    }
    return answer;
  }

  /** Returns how long until a limited key has room, at least 1 ns. */
  long roomNanos(byte scope, long keyHash, long check, long limit) {
    Entry entry = find(mix(keyHash, scope), check);
    return entry == null ? 1 : roomNanos(entry, limit);
  }

  long remove(byte scope, long keyHash, long check) {
    Epoch now = clock.now();
    Entry entry = find(mix(keyHash, scope), check);
    if (entry == null) {
      return 0;
    }
    advance(entry, now);
    long state = entry.kill();
    if (state == Entry.GONE) {
      return 0;
    }
    takeOut(entry, state, now);
    removes.increment();
    return entry.count(state);
  }

  /** Shows every live entry to a visitor, as of an epoch; takes out what has expired. */
  void forEach(Epoch now, Consumer<Entry> visitor) {
    for (Segment segment : segments) {
      Cells cells = segment.cells();
      for (int i = 0; i < cells.length(); i++) {
        Entry entry = cells.liveAt(i);
        if (entry != null && !expire(entry, now)) {
          advance(entry, now);
          visitor.accept(entry);
        }
      }
    }
  }

  /** Brings an entry to an epoch, and counts nothing. */
  void advance(Entry entry, Epoch now) {
    if (entry.isBehind(now)) {
      long unused = entry.advance(this, now, 0);
    }
  }

  /** Is called by an entry that was advanced, with its new count and how many touches lapsed. */
  void onAdvanced(Entry entry, long count, long touches) {
    if (touches > 0) {
      lapsed.add(touches);
      if (observer != null && clock.decays()) {
        observer.decayed(KeyCount.of(entry, count), touches);
      }
    }
  }

  /** Takes an entry out if it has expired. */
  boolean expire(Entry entry, Epoch now) {
    long state = entry.state();
    if (!entry.hasExpired(clock, now) || !entry.kill(state)) {
      return false;
    }
    takeOut(entry, state, now);
    expired.increment();
    return true;
  }

  /** Takes out a dead entry whose room a new key gets. */
  void displace(Entry entry, long state) {
    lapsed.add(entry.sum(state));
    segment(entry.hash).takeOut(entry);
    displaced.increment();
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

  private long raise(Entry entry, Epoch now) {
    // Without time nothing is read before the write: two threads on one key then exchange its
    // cache line once for each touch.
    return timed && entry.mustAdvance(now)
        ? entry.advance(this, now, Long.MAX_VALUE)
        : entry.raise();
  }

  private long admit(Entry entry, long limit, Epoch now) {
    return entry.mustAdvance(now) ? entry.advance(this, now, limit) : entry.admit(limit);
  }

  private long roomNanos(Entry entry, long limit) {
    long nanos = clock.nanos();
    advance(entry, clock.at(nanos));
    return Math.max(1, entry.roomNanos(limit - early, clock, nanos));
  }

  /** Returns a new entry of a key, or that of a thread that was first; null if there is no room. */
  private <K> @Nullable Entry insert(
      KeyForm<K> form, byte scope, K key, long mixed, long check, Epoch now) {
    int size = config.footprint(form.storedLength(key));
    if (!admission.admit(mixed, size, now)) {
      Entry other = find(mixed, check);
      if (other != null && !other.isDead()) {
        return other;
      }
      drops.increment();
      return null;
    }
    // Before the new entry is in, which has no touch yet and would pass for expired.
    admission.reclaim(now, 1);
    byte[] stored = form.store(key, second);
    Entry made =
        config.slots() > 0
            ? new WindowEntry(mixed, scope, stored, now.number(), config.slots())
            : new GenerationEntry(mixed, scope, stored, now.number());
    Entry entry = segment(mixed).put(made, check);
    if (entry == made) {
      inserts.increment();
    } else {
      capacity.release(size, true, now);
    }
    return entry;
  }

  private void takeOut(Entry entry, long state, Epoch now) {
    lapsed.add(entry.sum(state));
    segment(entry.hash).takeOut(entry);
    capacity.release(config.footprint(entry.key.length), entry.isActive(now), now);
  }

  /** Returns the entry of a key, which may be dead, or null. */
  private @Nullable Entry find(long mixed, long check) {
    return segment(mixed).cells().find(mixed, check);
  }

  private Segment segment(long mixed) {
    return segments[(int) (mixed >>> SEGMENT_SHIFT) & (segments.length - 1)];
  }

  /** Sets the keys of two scopes apart; the same text in 256 scopes still spreads. */
  private static long mix(long keyHash, byte scope) {
    return keyHash + scope * SCOPE_STEP;
  }
}
