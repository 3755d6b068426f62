package io.heatshield.ring;

import io.heatshield.key.KeyForm;
import io.heatshield.ring.WindowClock.Epoch;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A bounded table of exact counts per key: how hot is this key right now, and may it go on?
 *
 * <p>Any thread may call any method. Counting is exact: every touch of a key that the ring holds is
 * in its count, also those that race to bring the key in, and a touch that races {@code remove} is
 * before it or after it. A ring starts no thread; what is due is done by whoever comes next.
 *
 * <p><b>Window</b> (8 slots of 250 ms): the count is what fell into the present slot and the slots
 * before it, so it is 0 again once the window has passed without a touch. The ticker drives it; one
 * that is coarse makes slots end late by as much. <b>Decay</b> instead of a window shifts counts
 * right at every interval. Without both a count only grows.
 *
 * <p><b>Clamp</b>: a limit of N admits exactly N calls in the present slot and those before it, at
 * any number of threads, hence at most N in any interval of one slot less than the window. This
 * holds for as long as the key has its place in the ring. A touch of the same key counts towards
 * the limit and is not held to it.
 *
 * <p><b>Rotation</b> (30 min): a key lives in the active generation while it is touched, in the
 * warm one for a generation more, and then is gone. A window moves over with its key. Without a
 * window the generations have counts of their own: {@code count}, {@code touch} and {@code clamp}
 * know the larger, {@link #top} and {@link #keysAbove} by default the sum.
 *
 * <p><b>Cap</b> (250,000 keys per generation, or bytes in all): what has run out gives its place
 * first; then a newcomer must come more often than the coldest of a few keys. Touches of keys that
 * find no place are dropped and counted as drops. Memory never passes the caps times {@link
 * #entryBytes}, plus 20 bytes for each of the 2<sup>bits</sup> cells the table starts with, plus 8
 * KiB, plus 256 KiB once a key was refused.
 *
 * <p><b>Identity</b>: a key is known by two keyed 64-bit hashes under independent lanes of the
 * ring's secret. Two different keys of up to 32 bytes share both, and then a count, with a
 * probability of about 2<sup>-124</sup>, and longer ones with little more; nobody without the
 * secret can tell which.
 *
 * <p>The views {@link #top}, {@link #keysAbove} and {@link #stats} walk the ring while it goes on
 * counting, hold nobody up, and see each key at some time during the walk.
 */
public final class HotRing extends KeyCounts {
  /*
   * A touch in five classes: KeyCounts hashes the key; EntryTable finds its Entry in the Cells of a
   * Segment without a lock, by the identity beside it; or Admission finds room for it within the
   * Capacity, and it is put in under the segment's monitor; the Entry counts in one atomic word.
   * WindowClock turns the ticker into epochs, and an entry of an earlier epoch is advanced by
   * whoever needs it. Access modes stand in Entry, Cells and Segment; ADR-0011 and ADR-0061 say
   * why, ADR-0012 how a full ring stays open.
   */
  private final @Nullable KeyCounts[] scopes = new @Nullable KeyCounts[1 << Byte.SIZE];

  HotRing(EntryTable table) {
    super(table, (byte) 0);
  }

  /** Returns a builder with the defaults. */
  public static HotRingBuilder builder() {
    return new HotRingBuilder();
  }

  /** Returns a builder set up to route values to logs: 6 slots of 100 ms, 10 min, 200,000 keys. */
  public static HotRingBuilder valueLogRouting() {
    return new HotRingBuilder().forValueLogRouting();
  }

  /** Returns the keys of a scope; two scopes never share a count, and this ring's own is 0. */
  public KeyCounts scope(byte scope) {
    KeyCounts keys = scopes[scope & 0xff];
    if (keys == null) {
      // Threads that race make equal ones; its fields are final, so a plain write publishes it.
      keys = new KeyCounts(table, scope);
      scopes[scope & 0xff] = keys;
    }
    return keys;
  }

  /** Returns the hottest keys, as many as the builder was told. */
  public RingSnapshot top() {
    return top(table.config.top());
  }

  /** Returns the {@code n} hottest keys of all scopes, by the sum of both generations. */
  public RingSnapshot top(int n) {
    return top(n, Merge.SUM);
  }

  /** Returns the {@code n} hottest keys of all scopes, the hottest first, ties by key. */
  public RingSnapshot top(int n, Merge merge) {
    if (n < 0) {
      throw new IllegalArgumentException("n must not be negative: " + n);
    }
    long now = table.clock.reading();
    var top = new TopKeys(n);
    if (n > 0) {
      table.forEach(table.clock.at(now), e -> top.offer(e, merge.of(e)));
    }
    return new RingSnapshot(now, top.sorted());
  }

  /** Returns all keys with at least {@code threshold} touches, by the sum of both generations. */
  public RingSnapshot keysAbove(long threshold) {
    return keysAbove(threshold, Merge.SUM);
  }

  /** Returns all keys that have a count and one of at least {@code threshold}. */
  public RingSnapshot keysAbove(long threshold, Merge merge) {
    long now = table.clock.reading();
    var keys = new ArrayList<KeyCount>();
    long least = Math.max(threshold, 1);
    table.forEach(
        table.clock.at(now),
        e -> {
          long count = merge.of(e);
          if (count >= least) {
            keys.add(KeyCount.of(e, count));
          }
        });
    keys.sort(KeyCount.HOTTEST_FIRST);
    return new RingSnapshot(now, keys);
  }

  /** Returns what the ring holds and did; it walks all entries for that. */
  public RingStats stats() {
    long now = table.clock.reading();
    Epoch epoch = table.clock.at(now);
    long[] touches = new long[1];
    long[] entries = new long[1];
    table.forEach(
        epoch,
        e -> {
          touches[0] += e.sum();
          entries[0]++;
        });
    return new RingStats(
        now,
        table.cells(),
        entries[0],
        bytes(),
        touches[0] + table.lapsed.sum(),
        table.inserts.sum(),
        table.removes.sum(),
        table.expired.sum(),
        table.displaced.sum(),
        table.clamps.sum(),
        table.drops.sum(),
        epoch.generation());
  }

  /** Returns the memory that the entries take at most, without a walk over them. */
  public long bytes() {
    return table.capacity.bytes();
  }

  /** Returns the bytes that a key of this length takes at most, its share of the table included. */
  public int entryBytes(int keyLength) {
    return table.config.footprint(
        keyLength <= KeyForm.MAX_BYTES ? keyLength : KeyForm.FOLDED_BYTES);
  }

  /** Returns the most cells that a look for any key reads; short whatever the keys are. */
  int longestProbe() {
    return table.longestProbe();
  }
}
