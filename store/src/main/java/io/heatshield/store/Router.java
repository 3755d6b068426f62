package io.heatshield.store;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.time.Ticker;

/** Tells the keys that are written often enough to be kept apart. */
final class Router {
  private final GatedRing writes;
  private final Ticker ticker;
  private final Action routing;
  private final Tally tally;
  private volatile long threshold;

  Router(Parts parts, GatedRing writes) {
    this.writes = writes;
    this.ticker = parts.ticker();
    this.routing = parts.action("routing", parts.options().routing().mode());
    this.tally = parts.tally();
    this.threshold = parts.options().routing().threshold();
  }

  void retune(StoreOptions.Routing next) {
    threshold = next.threshold();
    routing.mode(next.mode());
  }

  /** Counts a put; returns whether the key is to be kept apart. */
  boolean routes(byte[] key, long hash) {
    long least = threshold;
    if (routing.mode() == Mode.OFF
        || writes.count(key, hash, ticker.nanos(), least) < least
        || !routing.apply(0)) {
      return false;
    }
    tally.routed.increment();
    return true;
  }

  /** Returns whether a key that is kept apart still should be. */
  boolean isHot(byte[] key, long hash) {
    return routing.mode() == Mode.ENFORCE && writes.ring().countHashed(hash, key) >= threshold;
  }

  GatedRing writes() {
    return writes;
  }
}
