package io.heatshield.ring;

import io.heatshield.key.KeyForm;
import io.heatshield.ring.WindowClock.Epoch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bounded table that counts keys exactly, and limits their calls.
 *
 * <pre>{@code
 * HotRing writes =
 *     HotRing.builder().window(ofSeconds(1)).maxKeys(100_000).whenFull(ADMIT).build();
 *
 * Admission a = writes.tryTouch("order:7", 10);
 * if (!a.admitted()) {
 *   throw new TooManyRequests(a.retryAfter());
 * }
 * }</pre>
 *
 * <p>Any thread may call any method. Every touch of a key that the ring holds is counted, also if
 * it races the insertion of the key. A touch that races {@code remove} takes effect before or after
 * it. A ring starts no thread; its calls do the maintenance that is due.
 *
 * <p><b>Window</b> (default: 8 slots of 250 ms). A count covers the current slot and the slots
 * before it, so it is 0 once a window has passed without a touch. Slots follow the ticker; with a
 * coarse ticker they end late by at most its delay. With <b>decay</b> instead of a window, counts
 * are shifted right after every interval. With neither, counts only grow.
 *
 * <p><b>Limit</b>, the clamp of the ring's design. {@code tryTouch} with a limit of N admits
 * exactly N calls in the current slot and the slots before it, with any number of threads. It
 * therefore admits at most N calls in any interval that is one slot shorter than the window. This
 * holds while the ring holds the key; {@link HotRingBuilder#whenFull} decides about a key that a
 * full ring does not hold. A touch is never limited, but it counts towards the limit.
 *
 * <p><b>Rotation</b> (default: 30 min). A key belongs to the active generation while it is touched,
 * then to the warm generation until the next rotation, and then it expires. With a window, a key
 * keeps its count. Without a window, each generation has a count of its own: {@code count}, {@code
 * touch} and {@code tryTouch} use the larger one, {@link #top} and {@link #keysAbove} by default
 * the sum.
 *
 * <p><b>Memory</b> (default: 250,000 keys per generation; optionally bytes for both generations). A
 * full ring removes expired keys first. If there are none, it admits a new key only if that is
 * touched more often than the coldest of a few keys. A touch of a key that is not admitted is
 * dropped, and counted as a drop. The memory of a ring is at most {@link #entryBytes} for each key
 * that the limits allow, plus 20 bytes for each of the initial 2<sup>bits</sup> cells, plus 8 KiB,
 * plus 256 KiB after the first drop.
 *
 * <p><b>Identity</b>. A key is identified by two keyed 64-bit hashes with independent lanes of the
 * ring's secret. Two different keys of up to 32 bytes have both in common, and then share a count,
 * with a probability of about 2<sup>-124</sup>; longer keys with one only slightly higher. Without
 * the secret, such keys cannot be found.
 *
 * <p>The views {@link #top}, {@link #keysAbove} and {@link #stats} iterate over the ring without
 * blocking other calls, and read each key at some time during the iteration.
 */
public final class HotRing extends KeyCounts {
  /*
   * A touch involves these classes. KeyCounts hashes the key. EntryTable finds its Entry in the
   * Cells of a Segment by the two hashes, without a lock; for a new key, AdmissionPolicy reserves
   * room within the Capacity, and the Segment inserts an entry under its monitor. The Entry counts
   * in one atomic word. WindowClock divides time into epochs, and a call that uses an entry of an
   * earlier epoch advances it first. Access modes are documented in Entry, Cells, Segment and
   * AdmissionPolicy; for the reasons see ADR-0011 and ADR-0089, for admission ADR-0012.
   */
  private final @Nullable KeyCounts[] scopes = new @Nullable KeyCounts[1 << Byte.SIZE];

  HotRing(EntryTable table) {
    super(table, (byte) 0);
  }

  /** Returns a builder with the defaults. */
  public static HotRingBuilder builder() {
    return new HotRingBuilder();
  }

  /** Returns the counts of a scope. Scopes share no counts; the ring itself is scope 0. */
  public KeyCounts scope(byte scope) {
    KeyCounts counts = scopes[scope & 0xff];
    if (counts == null) {
      // Threads that race create equal objects; all fields are final, so a plain write is safe.
      counts = new KeyCounts(table, scope);
      scopes[scope & 0xff] = counts;
    }
    return counts;
  }

  /** Returns the {@code n} hottest keys of all scopes, by the sum of both generations. */
  public List<KeyCount> top(int n) {
    return top(n, Merge.SUM);
  }

  /** Returns the {@code n} hottest keys of all scopes, the hottest first, ties by key. */
  public List<KeyCount> top(int n, Merge merge) {
    if (n < 0) {
      throw new IllegalArgumentException("n must not be negative: " + n);
    }
    var top = new TopKeys(n);
    if (n > 0) {
      table.forEach(table.clock.currentEpoch(), e -> top.offer(e, merge.of(e)));
    }
    return top.sorted();
  }

  /** Returns all keys with a count of at least {@code threshold}, by the sum of generations. */
  public List<KeyCount> keysAbove(long threshold) {
    return keysAbove(threshold, Merge.SUM);
  }

  /**
   * Returns all keys with a count of at least {@code threshold}, and of at least 1, the hottest
   * first, ties by key.
   */
  public List<KeyCount> keysAbove(long threshold, Merge merge) {
    var keys = new ArrayList<KeyCount>();
    long minCount = Math.max(threshold, 1);
    table.forEach(
        table.clock.currentEpoch(),
        e -> {
          long count = merge.of(e);
          if (count >= minCount) {
            keys.add(KeyCount.of(e, count));
          }
        });
    keys.sort(KeyCount.HOTTEST_FIRST);
    return List.copyOf(keys);
  }

  /** Returns statistics of the ring; iterates over all entries. */
  public RingStats stats() {
    Epoch epoch = table.clock.currentEpoch();
    long[] touches = new long[1];
    long[] entries = new long[1];
    table.forEach(
        epoch,
        e -> {
          touches[0] += e.sum();
          entries[0]++;
        });
    return new RingStats(
        entries[0],
        bytes(),
        table.cells(),
        touches[0] + table.pastTouches.sum(),
        table.inserts.sum(),
        table.removes.sum(),
        table.expired.sum(),
        table.evicted.sum(),
        table.refused.sum(),
        table.drops.sum(),
        epoch.generation(),
        table.listenerFaults.sum());
  }

  /** Returns the most memory that the entries take, without iterating over them. */
  public long bytes() {
    return table.capacity.bytes();
  }

  /** Returns the most memory that a key of this length takes, with its share of the table. */
  public int entryBytes(int keyLength) {
    return table.config.entryBytes(
        keyLength <= KeyForm.MAX_BYTES ? keyLength : KeyForm.FOLDED_BYTES);
  }

  /** Returns the largest number of cells that the lookup of a key reads. */
  int longestProbe() {
    return table.longestProbe();
  }
}
