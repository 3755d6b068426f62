package io.heatshield.detect;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The current pane: its number and start, the limits that follow from the settings, and the warm
 * flags.
 *
 * <p>A detector publishes one pane after another. A pane is immutable except for its flags.
 */
final class Pane {
  /*
   * A key is warm when one stripe has counted its share of the threshold. From then on touches of
   * it in every stripe are judged by the sum over all stripes, see Judge. The flag is a bit chosen
   * by the hash, because a table may be full. A touch of a key that shares the bit of a warm key
   * computes a sum and gets the same verdict.
   *
   * A flag must outlive the window of the touch that set it. New flags begin every panes + 1
   * epochs and the former ones are still read, so a flag lives for panes + 1 to 2 (panes + 1)
   * epochs.
   *
   * warm[i]   set: volatile read-modify-write   read: acquire, after taking a stripe's lock
   */
  private static final int FLAG_BITS = 13;
  private static final long SECOND = 1_000_000_000L;

  final DetectorSettings settings;
  final long epoch;
  final long startNanos;

  /** The first epoch in which a key may cool: a window after the length of the window changed. */
  final long coolFrom;

  /** Touches in a window that make a key hot. */
  final long hotAt;

  /** Touches in a window below which a hot key cools. */
  final long coolBelow;

  /** The count that at least one stripe has when all stripes together have reached hotAt. */
  final long share;

  /** Touches of all keys in a window at which the sketch's error reaches hotAt. */
  final double overloadAt;

  final long windowNanos;
  final long paneNanos;

  private final Flags flags;

  private Pane(DetectorSettings settings, long epoch, long startNanos, long coolFrom, Flags flags) {
    this.settings = settings;
    this.epoch = epoch;
    this.startNanos = startNanos;
    this.coolFrom = coolFrom;
    this.flags = flags;
    hotAt = settings.hotAt();
    coolBelow = Math.max(1, (long) Math.ceil(hotAt * settings.exit()));
    share = (hotAt + settings.stripes() - 1) / settings.stripes();
    overloadAt = hotAt * (settings.width() / Math.E);
    windowNanos = settings.window().toNanos();
    paneNanos = (windowNanos + settings.panes() - 1) / settings.panes();
  }

  static Pane first(DetectorSettings settings, long now) {
    return new Pane(settings, 0, now, 0, new Flags(newFlags(), newFlags(), 0));
  }

  /** Returns the pane of a reading: this one, or a later one if this one is over. */
  Pane at(long now) {
    if (!isOver(now)) {
      return this;
    }
    long turns = (now - startNanos) / paneNanos;
    long next = epoch + turns;
    long start = startNanos + turns * paneNanos;
    return new Pane(settings, next, start, coolFrom, flags.at(next, settings.panes() + 1L));
  }

  /** Returns the pane that follows this one when window and threshold change. */
  Pane reconfigured(Duration window, long threshold, long now) {
    DetectorSettings changed =
        HotKeyDetector.builder()
            .settings(settings)
            .window(window)
            .threshold(threshold)
            .toSettings();
    if (!window.equals(settings.window())) {
      // Everything that was counted has expired.
      long next = epoch + settings.panes() + 1;
      var cleared = new Flags(newFlags(), flags.current, next);
      return new Pane(changed, next, now, next + settings.panes(), cleared);
    }
    if (changed.hotAt() >= hotAt) {
      return new Pane(changed, epoch, startNanos, coolFrom, flags);
    }
    // A stripe may already have counted the new share without setting the flag.
    var all = newFlags();
    for (int i = 0; i < all.length(); i++) {
      all.set(i, -1L);
    }
    return new Pane(changed, epoch, startNanos, coolFrom, new Flags(newFlags(), all, epoch));
  }

  boolean isOver(long now) {
    return now - startNanos >= paneNanos;
  }

  /**
   * Returns whether a touch must be judged by all stripes: its own stripe has counted the key's
   * share, which sets the key's flag, or the flag is set.
   */
  boolean isWarm(long hash, long own) {
    if (share == hotAt) {
      return own >= hotAt;
    }
    int bit = (int) (Audit.mix(hash) >>> (Long.SIZE - FLAG_BITS - Audit.SAMPLE_BITS));
    bit &= (1 << FLAG_BITS) - 1;
    int word = bit >> 6;
    long mask = 1L << bit;
    boolean isSet = (flags.current.getAcquire(word) & mask) != 0;
    if (own >= share) {
      if (!isSet) {
        flags.current.accumulateAndGet(word, mask, (flag, other) -> flag | other);
      }
      return true;
    }
    return isSet || (flags.former.getAcquire(word) & mask) != 0;
  }

  /** Returns the number of full panes that span a second together with the current one. */
  int fullPanesForASecond(long now) {
    long missing = Math.max(0, SECOND - elapsed(now));
    return (int) ((missing + paneNanos - 1) / paneNanos);
  }

  /** Returns the touches at the threshold's rate over this pane so far and some full ones. */
  double atThreshold(long now, int full) {
    return settings.threshold() * ((elapsed(now) + full * paneNanos) / (double) SECOND);
  }

  double rate(long touches) {
    return touches * (double) SECOND / windowNanos;
  }

  /** Returns by how much an estimate may be too high for a number of touches in the window. */
  long errorBound(long inWindow) {
    return (long) Math.ceil(inWindow * (Math.E / settings.width()));
  }

  /** Returns the power of two that keeps the error of a number of touches below hotAt. */
  long sufficientWidth(long inWindow) {
    long least = (long) Math.ceil(inWindow * Math.E / hotAt) + 1;
    return Math.max(settings.width(), Long.highestOneBit(least * 2 - 1));
  }

  /** Returns the age of this pane; 0 for a reading from before its start. */
  private long elapsed(long now) {
    return Math.max(0, now - startNanos);
  }

  private static AtomicLongArray newFlags() {
    return new AtomicLongArray(1 << (FLAG_BITS - 6));
  }

  static long bytes() {
    return 2L * ((1 << (FLAG_BITS - 3)) + 32) + 160;
  }

  /** The flags that are set now, those that were set before, and the epoch of the change. */
  private record Flags(AtomicLongArray current, AtomicLongArray former, long from) {
    Flags at(long epoch, long lifetime) {
      if (epoch - from < lifetime) {
        return this;
      }
      return new Flags(newFlags(), epoch - from < 2 * lifetime ? current : newFlags(), epoch);
    }
  }
}
