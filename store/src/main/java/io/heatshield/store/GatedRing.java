package io.heatshield.store;

import io.heatshield.hash.HashSecret;
import io.heatshield.ring.HotRing;
import io.heatshield.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A ring that is not asked about keys which come once or twice: the first uses of a key in its
 * window are counted in a byte.
 *
 * <p>For who looks for keys at a threshold and does nothing with a count below it. From seven on a
 * count is never below the uses in the window, and above them by three at most. With a threshold
 * below {@value #LEAST_THRESHOLD}, and without a window, every use is counted in the ring.
 *
 * <p>Any thread may call.
 */
final class GatedRing {
  /*
   * A key that the ring has counted four times gets the three that the gate had of it. That may happen again when its
   * count has fallen, and not sooner than the three have left the window. See ADR-0063.
   */
  private static final int LEAST_THRESHOLD = 2 * FirstUses.MOST + 2;

  /** The part of the memory that goes to the gate. */
  private static final int GATE_PART = 16;

  private final HotRing ring;
  private final @Nullable FirstUses gate;

  private GatedRing(HotRing ring, @Nullable FirstUses gate) {
    this.ring = ring;
    this.gate = gate;
  }

  /** Returns one of a shape that takes at most so many bytes. */
  static GatedRing of(RingShape shape, HashSecret secret, Ticker ticker, long bytes) {
    boolean gated = !shape.window().isZero() && bytes >= GATE_PART;
    FirstUses gate = gated ? new FirstUses(shape.window(), bytes / GATE_PART) : null;
    long left = bytes - (gate == null ? 0 : gate.bytes());
    return new GatedRing(shape.build(secret, ticker, left), gate);
  }

  /** Counts a use; returns the uses of the key in the window, or fewer if they are few. */
  long count(byte[] key, long hash, long now, long threshold) {
    return takes(hash, now, threshold, look(hash)) ? 1 : countOn(key, hash, threshold);
  }

  /** Returns what {@link #takes} will need, so that it need not wait for memory. */
  byte look(long hash) {
    return gate == null ? 0 : gate.look(hash);
  }

  /** Counts a use if it is one of a key's first; else {@link #countOn} has to. */
  boolean takes(long hash, long now, long threshold, byte seen) {
    return gate != null && threshold >= LEAST_THRESHOLD && gate.takes(hash, now, seen);
  }

  /** Counts a use that is not one of a key's first, and returns those in the window. */
  long countOn(byte[] key, long hash, long threshold) {
    long count = ring.touchHashed(hash, key);
    if (count == FirstUses.MOST + 1 && gate != null && threshold >= LEAST_THRESHOLD) {
      for (int i = 0; i < FirstUses.MOST; i++) {
        count = ring.touchHashed(hash, key);
      }
    }
    return count;
  }

  HotRing ring() {
    return ring;
  }

  long bytes() {
    return ring.bytes() + (gate == null ? 0 : gate.bytes());
  }
}
