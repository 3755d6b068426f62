package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds a ring's entries to its limits.
 *
 * <p>There is room for a new entry while the active generation has fewer entries than the maximum,
 * both generations together have fewer than twice the maximum, and all entries together have fewer
 * bytes than the maximum in bytes. An entry that moves from the warm to the active generation
 * always has room. The number of entries and of bytes is exact.
 *
 * <p>A reservation that races a failing one may fail although there is room a moment later. A
 * reservation that races the end of a generation may be counted in the wrong generation until the
 * next one ends.
 */
final class Capacity {
  private final long maxKeys;
  private final long totalMaxKeys;
  private final long maxBytes;

  /** The number of the active generation in the upper 32 bits, that of its entries in the lower. */
  private final AtomicLong active = new AtomicLong();

  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  Capacity(RingConfig config) {
    maxKeys = config.maxKeys() > 0 ? config.maxKeys() : Integer.MAX_VALUE;
    totalMaxKeys = config.rotationNanos() > 0 ? 2 * maxKeys : maxKeys;
    maxBytes = config.maxBytes() > 0 ? config.maxBytes() : Long.MAX_VALUE;
  }

  /** Reserves room for a new entry, if there is any. */
  boolean reserve(int size, Epoch now) {
    if (!addActive(now, maxKeys)) {
      return false;
    }
    if (!addWithin(entries, 1, totalMaxKeys)) {
      removeActive(now);
      return false;
    }
    if (!addWithin(bytes, size, maxBytes)) {
      entries.getAndDecrement();
      removeActive(now);
      return false;
    }
    return true;
  }

  /** Returns whether an empty ring has room for an entry. */
  boolean canHold(int size) {
    return size <= maxBytes;
  }

  /** Releases the room of an entry. */
  void release(int size, boolean wasActive, Epoch now) {
    if (wasActive) {
      removeActive(now);
    }
    entries.getAndDecrement();
    bytes.getAndAdd(-size);
  }

  /** Passes the room of an entry to a new one; if it is too small, releases it, returns false. */
  boolean replace(int oldSize, boolean wasActive, int size, Epoch now) {
    if (!addWithin(bytes, size - oldSize, maxBytes)) {
      release(oldSize, wasActive, now);
      return false;
    }
    if (!wasActive) {
      moveToActive(now);
    }
    return true;
  }

  /** Counts an entry of the warm generation in the active one, even above the maximum. */
  void moveToActive(Epoch now) {
    boolean unused = addActive(now, Integer.MAX_VALUE);
  }

  long bytes() {
    return bytes.get();
  }

  /** Adds one entry to the active generation if it has fewer than {@code limit}. */
  private boolean addActive(Epoch now, long limit) {
    for (; ; ) {
      long word = active.get();
      long current = isOlder(word, now) ? now.generation() << 32 : word;
      if ((int) current >= limit) {
        return false;
      }
      if (active.compareAndSet(word, current + 1)) {
        return true;
      }
    }
  }

  private void removeActive(Epoch now) {
    for (; ; ) {
      long word = active.get();
      if ((int) (word >>> 32) != (int) now.generation() || (int) word == 0) {
        return;
      }
      if (active.compareAndSet(word, word - 1)) {
        return;
      }
    }
  }

  private static boolean isOlder(long word, Epoch now) {
    return (int) (word >>> 32) - (int) now.generation() < 0;
  }

  /** Adds an amount unless the sum would exceed a limit; always subtracts a negative amount. */
  private static boolean addWithin(AtomicLong sum, long amount, long limit) {
    for (; ; ) {
      long current = sum.get();
      if (amount > 0 && current + amount > limit) {
        return false;
      }
      if (sum.compareAndSet(current, current + amount)) {
        return true;
      }
    }
  }
}
