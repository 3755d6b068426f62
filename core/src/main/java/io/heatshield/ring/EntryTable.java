package io.heatshield.ring;

import io.heatshield.action.Admission;
import io.heatshield.action.WhenFull;
import io.heatshield.count.Counter;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.ring.WindowClock.Epoch;
import io.heatshield.time.Ticker;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The table of a ring: finds, inserts, advances and removes entries, and counts what it did. */
final class EntryTable {
  private static final int MAX_SEGMENT_BITS = 6;
  private static final int SEGMENT_SHIFT = Long.SIZE - MAX_SEGMENT_BITS;
  private static final int MIN_CELL_BITS = 3;
  private static final long SCOPE_STEP = 0x9e3779b97f4a7c15L;

  /** The wait of a key for which waiting does not help. */
  static final long NEVER_NANOS = Long.MAX_VALUE;

  /** The result of a limited call that a full ring admits without counting. */
  private static final long ADMITTED_UNTRACKED = Long.MAX_VALUE;

  /** The result of a refused call of a key that the ring does not hold. */
  private static final long REFUSED_UNTRACKED = Long.MIN_VALUE + 1;

  /** Counted touches that no live entry contains any longer. */
  final Counter pastTouches = new Counter();

  final Counter refused = new Counter();
  final LongAdder inserts = new LongAdder();
  final LongAdder removes = new LongAdder();
  final LongAdder drops = new LongAdder();
  final LongAdder evicted = new LongAdder();
  final LongAdder expired = new LongAdder();
  final LongAdder listenerFaults = new LongAdder();

  final RingConfig config;
  final KeyHash hash;
  final KeyHash second;
  final WindowClock clock;
  final Capacity capacity;
  private final AdmissionPolicy admission;
  private final Segment[] segments;
  private final boolean timed;
  private final boolean limitsNth;
  private final boolean refusesWhenFull;
  private final @Nullable RingListener listener;

  EntryTable(RingConfig config, HashSecret secret, Ticker ticker, @Nullable RingListener listener) {
    this.config = config;
    this.listener = listener;
    refusesWhenFull = config.whenFull() == WhenFull.REFUSE;
    limitsNth = config.clampPolicy() == ClampPolicy.LIMITS_NTH;
    hash = KeyHash.fast(secret);
    second = KeyHash.second(secret);
    clock = new WindowClock(config, ticker);
    timed = clock.isTimed();
    capacity = new Capacity(config);
    int cellBits = config.initialBits();
    int segmentBits = Math.max(0, Math.min(MAX_SEGMENT_BITS, cellBits - MIN_CELL_BITS));
    segments = new Segment[1 << segmentBits];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = new Segment(1 << (cellBits - segmentBits));
    }
    admission = new AdmissionPolicy(this, config, capacity, segments);
  }

  /** Counts one touch. Returns the new count, or 0 if the ring has no room for the key. */
  <K> long touch(KeyForm<K> form, byte scope, K key, long keyHash, long secondHash) {
    long count = touchHeld(scope, keyHash, secondHash);
    if (count != Entry.WAS_DEAD) {
      return count;
    }
    long scopedHash = scoped(keyHash, scope);
    Epoch now = clock.currentEpoch();
    while (count == Entry.WAS_DEAD) {
      Entry entry = insert(form, scope, key, scopedHash, secondHash, now);
      if (entry == null) {
        return 0;
      }
      count = increment(entry, now);
      onTouch(entry, count);
    }
    return count;
  }

  /** Counts one touch of a key. Returns {@link Entry#WAS_DEAD} if the ring does not hold it. */
  long touchHeld(byte scope, long keyHash, long secondHash) {
    Epoch now = clock.currentEpoch();
    Entry entry = find(scoped(keyHash, scope), secondHash);
    if (entry == null) {
      return Entry.WAS_DEAD;
    }
    long count = increment(entry, now);
    onTouch(entry, count);
    return count;
  }

  long count(byte scope, long keyHash, long secondHash) {
    Epoch now = clock.currentEpoch();
    Entry entry = find(scoped(keyHash, scope), secondHash);
    if (entry == null) {
      return 0;
    }
    advance(entry, now);
    return entry.count();
  }

  /**
   * Loads cells, then entries, into the processor's caches, and returns how many entries it found.
   * The loads of one loop do not depend on each other, so they overlap.
   */
  int prefetch(byte scope, long[] hashes, int count) {
    var entries = new @Nullable Entry[count];
    for (int i = 0; i < count; i++) {
      long scopedHash = scoped(hashes[i], scope);
      entries[i] = segment(scopedHash).cells().find(scopedHash);
    }
    int found = 0;
    for (Entry entry : entries) {
      found += entry == null || entry.isDead() ? 0 : 1;
    }
    return found;
  }

  /**
   * Counts one touch if the key's count is below a limit. Returns the new count; or the complement
   * of the count if the call is refused; or {@link #ADMITTED_UNTRACKED} or {@link
   * #REFUSED_UNTRACKED} for a key that the ring does not hold.
   */
  <K> long tryTouch(KeyForm<K> form, byte scope, K key, long keyHash, long secondHash, long limit) {
    long result = tryTouchHeld(scope, keyHash, secondHash, limit);
    if (result != Entry.WAS_DEAD) {
      return result;
    }
    long scopedHash = scoped(keyHash, scope);
    Epoch now = clock.currentEpoch();
    while (result == Entry.WAS_DEAD) {
      // A limit of 0 admits nothing, so an entry would only take room.
      Entry entry = limit == 0 ? null : insert(form, scope, key, scopedHash, secondHash, now);
      if (entry == null) {
        return untracked(limit);
      }
      result = incrementBelow(entry, limit, now);
    }
    return result;
  }

  /** Counts one touch within a limit; {@link Entry#WAS_DEAD} if the ring does not hold the key. */
  long tryTouchHeld(byte scope, long keyHash, long secondHash, long limit) {
    Epoch now = clock.currentEpoch();
    Entry entry = find(scoped(keyHash, scope), secondHash);
    return entry == null ? Entry.WAS_DEAD : incrementBelow(entry, limit, now);
  }

  /** Returns the admission for a result of {@link #tryTouch}, which is positive if admitted. */
  Admission admission(long result, long limit, long waitNanos) {
    long mostAdmitted = limitsNth ? limit - 1 : limit;
    if (result == ADMITTED_UNTRACKED || result == REFUSED_UNTRACKED) {
      return Admission.untracked(mostAdmitted, waitNanos);
    }
    return result < 0
        ? Admission.refused(~result, mostAdmitted, waitNanos)
        : Admission.admitted(result, mostAdmitted);
  }

  /** Returns the time until a call of a refused key is admitted, at least 1 ns. */
  long waitNanos(byte scope, long keyHash, long secondHash, long limit) {
    if (limit == 0) {
      return NEVER_NANOS;
    }
    Entry entry = find(scoped(keyHash, scope), secondHash);
    if (entry != null) {
      return waitNanos(entry, limit);
    }
    return refusesWhenFull ? clock.nanosToEnd() : 1;
  }

  long remove(byte scope, long keyHash, long secondHash) {
    Epoch now = clock.currentEpoch();
    Entry entry = find(scoped(keyHash, scope), secondHash);
    if (entry == null) {
      return 0;
    }
    advance(entry, now);
    long state = entry.markDead();
    if ((state & Entry.DEAD) != 0) {
      return 0;
    }
    unlink(entry, state);
    release(entry, now);
    removes.increment();
    return entry.count(state);
  }

  /** Passes every live entry to a consumer, advanced to an epoch; removes expired entries. */
  void forEach(Epoch now, Consumer<Entry> consumer) {
    for (Segment segment : segments) {
      Cells cells = segment.cells();
      for (int i = 0; i < cells.length(); i++) {
        Entry entry = cells.liveAt(i);
        if (entry != null && !removeIfExpired(entry, now)) {
          advance(entry, now);
          consumer.accept(entry);
        }
      }
    }
  }

  /** Advances an entry to an epoch without counting a touch. */
  void advance(Entry entry, Epoch now) {
    if (entry.isBehind(now)) {
      long unused = entry.advance(this, now, 0);
    }
  }

  /** Called by an entry that was advanced, with the touches that expired. */
  void onAdvanced(long expiredTouches) {
    if (expiredTouches > 0) {
      pastTouches.add(expiredTouches);
    }
  }

  /** Removes an entry if all its touches have expired, and returns whether it did. */
  boolean removeIfExpired(Entry entry, Epoch now) {
    long state = entry.state();
    if (!entry.hasExpired(clock, now) || !entry.markDead(state)) {
      return false;
    }
    unlink(entry, state);
    release(entry, now);
    expired.increment();
    return true;
  }

  /** Removes a dead entry and keeps its room reserved, for a new key. */
  void evict(Entry entry, long state) {
    unlink(entry, state);
    evicted.increment();
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

  private long increment(Entry entry, Epoch now) {
    // If nothing depends on time, skip the read of the epoch: two threads that touch one key then
    // transfer its cache line once per touch.
    return timed && entry.mustAdvance(now)
        ? entry.advance(this, now, Long.MAX_VALUE)
        : entry.increment();
  }

  private long incrementBelow(Entry entry, long limit, Epoch now) {
    long result =
        entry.mustAdvance(now) ? entry.advance(this, now, limit) : entry.incrementBelow(limit);
    if (result == Entry.WAS_DEAD) {
      return result;
    }
    if (limitsNth && result >= limit) {
      result = ~result;
    }
    if (result < 0) {
      refused.add(1);
    }
    if (listener != null) {
      notifyTried(listener, entry, result, limit);
    }
    return result;
  }

  private long untracked(long limit) {
    if (limit > 0 && !refusesWhenFull) {
      return ADMITTED_UNTRACKED;
    }
    refused.add(1);
    return REFUSED_UNTRACKED;
  }

  private void onTouch(Entry entry, long count) {
    if (listener != null && count != Entry.WAS_DEAD) {
      try {
        listener.touched(KeyCount.of(entry, count));
      } catch (RuntimeException e) {
        listenerFaults.increment();
      }
    }
  }

  private void notifyTried(RingListener to, Entry entry, long result, long limit) {
    Admission admission = admission(result, limit, result < 0 ? waitNanos(entry, limit) : 0);
    try {
      to.tried(KeyCount.of(entry, entry.count()), admission);
    } catch (RuntimeException e) {
      listenerFaults.increment();
    }
  }

  private long waitNanos(Entry entry, long limit) {
    long nanos = clock.nanos();
    advance(entry, clock.epochAt(nanos));
    return Math.max(1, entry.waitNanos(limitsNth ? limit - 1 : limit, clock, nanos));
  }

  /** Returns a new entry or one that another thread inserted first; null if there is no room. */
  private <K> @Nullable Entry insert(
      KeyForm<K> form, byte scope, K key, long scopedHash, long secondHash, Epoch now) {
    int bytes = config.entryBytes(form.storedLength(key));
    if (!admission.admit(scopedHash, bytes, now)) {
      Entry other = find(scopedHash, secondHash);
      if (other != null && !other.isDead()) {
        return other;
      }
      drops.increment();
      return null;
    }
    // Must precede the insertion: a new entry has no touch yet, so it would be taken for expired.
    admission.reclaim(now, 1);
    byte[] stored = form.store(key, second);
    Entry created =
        config.slots() > 0
            ? new WindowEntry(scopedHash, scope, stored, now.number(), config.slots())
            : new GenerationEntry(scopedHash, scope, stored, now.number());
    Entry entry = segment(scopedHash).put(created, secondHash);
    if (entry == created) {
      inserts.increment();
    } else {
      capacity.release(bytes, true, now);
    }
    return entry;
  }

  private void unlink(Entry entry, long state) {
    pastTouches.add(entry.sum(state));
    segment(entry.hash).remove(entry);
  }

  private void release(Entry entry, Epoch now) {
    capacity.release(config.entryBytes(entry.key.length), entry.isActive(now), now);
  }

  /** Returns the entry of a key, which may be dead, or null. */
  private @Nullable Entry find(long scopedHash, long secondHash) {
    return segment(scopedHash).cells().find(scopedHash, secondHash);
  }

  private Segment segment(long scopedHash) {
    return segments[(int) (scopedHash >>> SEGMENT_SHIFT) & (segments.length - 1)];
  }

  /** Returns the hash of a key in a scope; the same key has another hash in each scope. */
  private static long scoped(long keyHash, byte scope) {
    return keyHash + scope * SCOPE_STEP;
  }
}
