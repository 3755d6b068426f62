package io.heatshield.ring;

import io.heatshield.ring.WindowClock.Epoch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The number and bytes of a ring's entries against its caps.
 *
 * <p>A new entry fits as long as the active generation has fewer entries than the cap, both
 * generations together fewer than twice the cap, and all entries fewer bytes than the cap in bytes.
 * Entries that a rotation carries over always fit. The number of entries and the bytes are exact. A
 * claim that races one which fails may be refused although there is room a moment later, and one
 * that races a rotation may be counted in the wrong generation until the next.
 */
final class Capacity {
  private final long cap;
  private final long capOfBoth;
  private final long capBytes;

  /** The active generation in the upper half, its entries in the lower. */
  private final AtomicLong active = new AtomicLong();

  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  Capacity(RingConfig config) {
    cap = config.cap() > 0 ? config.cap() : Integer.MAX_VALUE;
    capOfBoth = config.rotationNanos() > 0 ? 2 * cap : cap;
    capBytes = config.capBytes() > 0 ? config.capBytes() : Long.MAX_VALUE;
  }

  /** Reserves room for a new entry of a size in bytes, if there is any. */
  boolean claim(int size, Epoch now) {
    if (!raise(now, cap)) {
      return false;
    }
    if (!addBelow(taken, 1, capOfBoth)) {
      lower(now);
      return false;
    }
    if (!addBelow(bytes, size, capBytes)) {
      taken.getAndDecrement();
      lower(now);
      return false;
    }
    return true;
  }

  /** Returns whether an entry of this size would fit if there were no other. */
  boolean canHold(int size) {
    return size <= capBytes;
  }

  /** Gives back the room of an entry. */
  void release(int size, boolean wasActive, Epoch now) {
    if (wasActive) {
      lower(now);
    }
    taken.getAndDecrement();
    bytes.getAndAdd(-size);
  }

  /** Passes room on to a new entry; if that is too large, gives it back and returns false. */
  boolean replace(int oldSize, boolean wasActive, int size, Epoch now) {
    if (!addBelow(bytes, size - oldSize, capBytes)) {
      release(oldSize, wasActive, now);
      return false;
    }
    if (!wasActive) {
      carryOver(now);
    }
    return true;
  }

  /** Counts an entry that a rotation carried over into the active generation. */
  void carryOver(Epoch now) {
    boolean unused = raise(now, Integer.MAX_VALUE);
  }

  long bytes() {
    return bytes.get();
  }

  private boolean raise(Epoch now, long below) {
    for (; ; ) {
      long word = active.get();
      long current = isOlder(word, now) ? now.generation() << 32 : word;
      if ((int) current >= below) {
        return false;
      }
      if (active.compareAndSet(word, current + 1)) {
        return true;
      }
    }
  }

  private void lower(Epoch now) {
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

  private static boolean addBelow(AtomicLong sum, long amount, long cap) {
    for (; ; ) {
      long now = sum.get();
      if (now + amount > cap && amount > 0) {
        return false;
      }
      if (sum.compareAndSet(now, now + amount)) {
        return true;
      }
    }
  }
}
