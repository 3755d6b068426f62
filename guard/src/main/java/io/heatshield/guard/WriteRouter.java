package io.heatshield.guard;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.ring.HashedHotRing;
import io.heatshield.ring.HotRing;

/**
 * Finds the keys that are written often enough to be stored apart from the others.
 *
 * <p>Routing is the action {@code routing}. Any thread may call any method.
 */
public final class WriteRouter {
  private final HotRing ring;
  private final HashedHotRing writes;
  private final Action routing;
  private volatile long threshold;

  /**
   * Creates a router.
   *
   * @param ring counts the writes; has the secret of the context
   * @param threshold the number of writes in the ring's window from which a key is hot
   */
  public WriteRouter(GuardContext context, HotRing ring, Mode mode, long threshold) {
    this.ring = ring;
    this.writes = ring.hashed(context.hash());
    this.routing = context.action("routing", mode);
    this.threshold = threshold;
  }

  /** Changes the mode and the threshold. */
  public void tune(Mode mode, long writesInWindow) {
    threshold = writesInWindow;
    routing.mode(mode);
  }

  /** Counts a write; returns whether the key is to be stored with the hot ones. */
  public boolean routes(byte[] key, long hash) {
    return routing.mode() != Mode.OFF && writes.touch(hash, key) >= threshold && routing.apply(0);
  }

  /** Returns whether a key is still written often; counts nothing. */
  public boolean isHot(byte[] key, long hash) {
    return routing.mode() == Mode.ENFORCE && writes.count(hash, key) >= threshold;
  }

  /** Returns the memory of the ring. */
  public long bytes() {
    return ring.bytes();
  }
}
