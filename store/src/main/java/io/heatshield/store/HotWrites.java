package io.heatshield.store;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.ring.Clamp;
import io.heatshield.ring.HotRing;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Clamps the writes of one key, or finds those that are worth grouping. */
final class HotWrites {
  private final HotRing ring;
  private final Elsewhere elsewhere;
  private final Action clamping;
  private final Action grouping;
  private final Tally tally;
  private final long windowMillis;
  private volatile StoreOptions.WriteLimit options;

  HotWrites(Parts parts, HotRing ring, RingShape shape, Elsewhere elsewhere) {
    this.ring = ring;
    this.elsewhere = elsewhere;
    this.options = parts.options().writeLimit();
    this.clamping = parts.action("clamp", options.mode());
    this.grouping = parts.action("group", groupingMode(options));
    this.tally = parts.tally();
    Duration window = shape.slot().multipliedBy(Math.max(1, shape.windowSlots()));
    this.windowMillis = Math.max(1, window.toMillis());
  }

  void retune(StoreOptions.WriteLimit next) {
    options = next;
    clamping.mode(next.mode());
    grouping.mode(groupingMode(next));
  }

  /** Counts a write; returns the milliseconds until it may come again, or 0 if it may go on. */
  long clamp(byte[] key, long hash) {
    if (clamping.mode() == Mode.OFF) {
      return 0;
    }
    long share = elsewhere.share(key, hash, options.perWindow());
    long room = ring.waitHashed(hash, key, share);
    if (room == 0 || !clamping.apply(1, hash)) {
      return 0;
    }
    tally.clamped.increment();
    return room == Clamp.NEVER ? windowMillis : 1 + TimeUnit.NANOSECONDS.toMillis(room - 1);
  }

  /** Returns whether a write would be refused now; counts none. */
  boolean isFull(byte[] key, long hash) {
    return clamping.mode() == Mode.ENFORCE
        && ring.countHashed(hash, key) >= elsewhere.share(key, hash, options.perWindow());
  }

  /** Returns whether writes are looked at for grouping. */
  boolean groups() {
    StoreOptions.WriteLimit now = options;
    return now.mode() == Mode.OFF && now.burstThreshold() > 0;
  }

  /** Counts a write while the clamp is off; returns whether it is one of many. */
  boolean isBurst(byte[] key, long hash) {
    return groups() && ring.touchHashed(hash, key) > options.burstThreshold();
  }

  /** Takes note that calls to the engine were saved by grouping. */
  void saved(long calls) {
    grouping.apply(calls);
  }

  int batchMultiplier() {
    return options.batchMultiplier();
  }

  HotRing ring() {
    return ring;
  }

  private static Mode groupingMode(StoreOptions.WriteLimit options) {
    return options.mode() == Mode.OFF && options.burstThreshold() > 0 ? Mode.ENFORCE : Mode.OFF;
  }
}
