package io.heatshield.guard;

import io.heatshield.action.Action;
import io.heatshield.action.Admission;
import io.heatshield.action.Mode;
import io.heatshield.ring.HashedHotRing;
import io.heatshield.ring.HotRing;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits the writes of one key in each window of a ring.
 *
 * <p>A key that is hot in the whole fleet gets this node's share of the limit. The savings are
 * those of the action {@code clamp}. Any thread may call any method.
 */
public final class WriteThrottle {
  private final HotRing ring;
  private final HashedHotRing writes;
  private final FleetHotKeys fleet;
  private final Action action;
  private final long windowMillis;
  private final LongAdder throttled = new LongAdder();
  private volatile long perWindow;

  /**
   * Creates a throttle.
   *
   * @param ring counts the writes; has the secret of the context
   * @param window the window of the ring
   * @param perWindow the number of writes of one key that a window allows
   */
  public WriteThrottle(
      GuardContext context, HotRing ring, Duration window, Mode mode, long perWindow) {
    this.ring = ring;
    this.writes = ring.hashed(context.hash());
    this.fleet = context.fleet();
    this.action = context.action("clamp", mode);
    this.windowMillis = Math.max(1, window.toMillis());
    this.perWindow = perWindow;
  }

  /** Changes the mode and the limit. */
  public void tune(Mode mode, long writesPerWindow) {
    perWindow = writesPerWindow;
    action.mode(mode);
  }

  /**
   * Counts a write; returns 0 if it is allowed, or the milliseconds, at least 1, until a write of
   * the key is allowed.
   */
  public long tryWrite(byte[] key, long hash) {
    if (action.mode() == Mode.OFF) {
      return 0;
    }
    long limit = fleet.share(key, hash, perWindow);
    if (writes.tryTouch(hash, key, limit) || !action.apply(1, hash)) {
      return 0;
    }
    throttled.increment();
    Duration wait = writes.retryAfter(hash, key, limit);
    return wait.equals(Admission.NEVER)
        ? windowMillis
        : Math.max(1, wait.plusNanos(999_999).toMillis());
  }

  /** Returns whether a write of a key would be refused now, without counting one. */
  public boolean isExhausted(byte[] key, long hash) {
    return action.mode() == Mode.ENFORCE
        && writes.count(hash, key) >= fleet.share(key, hash, perWindow);
  }

  /** Counts a write without limiting it; returns the number of writes in the window. */
  public long count(byte[] key, long hash) {
    return writes.touch(hash, key);
  }

  /**
   * Prefetches the counts of keys that will be written next.
   *
   * @param count the number of hashes to use, from the first
   * @return how many of the keys have counts
   */
  public int prefetch(long[] hashes, int count) {
    return writes.prefetch(hashes, count);
  }

  /** Returns the number of writes that were refused. */
  public long throttled() {
    return throttled.sum();
  }

  /** Returns the ring that counts the writes. */
  public HotRing ring() {
    return ring;
  }
}
