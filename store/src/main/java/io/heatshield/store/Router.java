package io.heatshield.store;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.ring.HotRing;

/** Finds the keys that are written often enough to be kept apart. */
final class Router {
  private final HotRing writes;
  private final Action routing;
  private volatile long threshold;

  Router(StoreContext context, HotRing writes) {
    StoreOptions.Routing options = context.options().routing();
    this.writes = writes;
    this.routing = context.guard().action("routing", options.mode());
    this.threshold = options.threshold();
  }

  void tune(StoreOptions.Routing next) {
    threshold = next.threshold();
    routing.mode(next.mode());
  }

  /** Counts a put; returns whether the key is to be kept apart. */
  boolean routes(byte[] key, long hash) {
    return routing.mode() != Mode.OFF
        && writes.touchHashed(hash, key) >= threshold
        && routing.apply(0);
  }

  /** Returns whether a key that is kept apart still should be. */
  boolean isHot(byte[] key, long hash) {
    return routing.mode() == Mode.ENFORCE && writes.countHashed(hash, key) >= threshold;
  }

  long bytes() {
    return writes.bytes();
  }
}
