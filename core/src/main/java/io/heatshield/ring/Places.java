package io.heatshield.ring;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The places of a ring: who may have one without a contest, and how many are taken.
 *
 * <p>A newcomer has a free place as long as the active generation has fewer entries than the cap,
 * both generations together fewer than twice the cap, and all entries fewer bytes than the cap in
 * bytes. Keys that the turn of a generation carries over need none. The places taken and the bytes
 * are exact. A claim that races one which fails may be refused a place that is free a moment later,
 * and one that races the turn of a generation may be counted in the wrong one until the next.
 */
final class Places {
  private static final long ONE = 1;

  private final long cap;
  private final long capOfBoth;
  private final long capBytes;

  /** The active generation in the upper half, its entries in the lower. */
  private final AtomicLong active = new AtomicLong();

  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  Places(RingConfig config) {
    cap = config.cap() > 0 ? config.cap() : Integer.MAX_VALUE;
    capOfBoth = config.rotationNanos() > 0 ? 2 * cap : cap;
    capBytes = config.capBytes() > 0 ? config.capBytes() : Long.MAX_VALUE;
  }

  /** Takes a free place. */
  boolean claim(int size, Moment moment) {
    if (!raise(moment, cap)) {
      return false;
    }
    if (!addBelow(taken, ONE, capOfBoth)) {
      lower(moment);
      return false;
    }
    if (!addBelow(bytes, size, capBytes)) {
      taken.getAndDecrement();
      lower(moment);
      return false;
    }
    return true;
  }

  /** Returns whether an entry of this size would have a place if there were no other. */
  boolean canHold(int size) {
    return size <= capBytes;
  }

  /** Gives a place back. */
  void release(int size, boolean wasActive, Moment moment) {
    if (wasActive) {
      lower(moment);
    }
    taken.getAndDecrement();
    bytes.getAndAdd(-size);
  }

  /** Passes a place on, or gives it back and returns false if the new entry is too large for it. */
  boolean pass(int oldSize, boolean wasActive, int size, Moment moment) {
    if (!addBelow(bytes, size - oldSize, capBytes)) {
      release(oldSize, wasActive, moment);
      return false;
    }
    if (!wasActive) {
      arrive(moment);
    }
    return true;
  }

  /** Counts an entry that the turn of a generation carried over. */
  void arrive(Moment moment) {
    boolean unused = raise(moment, Integer.MAX_VALUE);
  }

  long taken() {
    return taken.get();
  }

  long bytes() {
    return bytes.get();
  }

  private boolean raise(Moment moment, long below) {
    for (; ; ) {
      long word = active.get();
      long now = isOlder(word, moment) ? moment.generation() << 32 : word;
      if ((int) now >= below) {
        return false;
      }
      if (active.compareAndSet(word, now + 1)) {
        return true;
      }
    }
  }

  private void lower(Moment moment) {
    for (; ; ) {
      long word = active.get();
      if ((int) (word >>> 32) != (int) moment.generation() || (int) word == 0) {
        return;
      }
      if (active.compareAndSet(word, word - 1)) {
        return;
      }
    }
  }

  private static boolean isOlder(long word, Moment moment) {
    return (int) (word >>> 32) - (int) moment.generation() < 0;
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
