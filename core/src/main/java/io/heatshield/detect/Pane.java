package io.heatshield.detect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The present pane: its number and place in time, the limits that hold, and the warm flags.
 *
 * <p>A detector publishes one pane after another; each is immutable but for its flags.
 */
final class Pane {
  /*
   * A key is warm when one stripe has counted its share of the threshold: from then on the other stripes' touches of it
   * are judged by the sum over all stripes, see Judge. The flag is a bit chosen by the hash, because a table that can
   * be full cannot promise to hold it; a key that shares the bit of a warm one pays for a sum, and is judged no
   * differently.
   *
   * Flags are for keys without a place; what is kept has budgets instead, and is flagged when it leaves (see Budgets).
   *
   * A flag must outlive the window of the touch that set it. New flags begin every panes + 1 epochs and the former ones
   * are still read, so a flag lives for panes + 1 to 2 (panes + 1) epochs.
   *
   * warm[i]   set: bitwise or, volatile   read: acquire, after the reader has taken a stripe's lock
   */
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int FLAG_BITS = 13;
  private static final long SECOND = 1_000_000_000L;

  final long epoch;
  final long startNanos;
  final Limits limits;

  /** What a touch needs of the limits, one step nearer. */
  final long paneNanos;

  final long share;
  final boolean early;

  /** The first epoch in which a key may cool: a window after the length of the window changed. */
  final long coolFrom;

  private final long[] warm;
  private final long[] warmBefore;
  private final long flagsFrom;

  /** What a hot key without a place in the table is told. */
  final Verdict untrackedHot;

  /** What an early key without a place in the table is told. */
  final Verdict untrackedEarly;

  /** What a key is told that has no place and no certainty. */
  final Verdict untrackedUncertain;

  private Pane(
      long epoch,
      long startNanos,
      Limits limits,
      long coolFrom,
      long[] warm,
      long[] warmBefore,
      long flagsFrom) {
    this.epoch = epoch;
    this.startNanos = startNanos;
    this.limits = limits;
    this.paneNanos = limits.paneNanos;
    this.share = limits.share;
    this.early = limits.settings.early();
    this.coolFrom = coolFrom;
    this.warm = warm;
    this.warmBefore = warmBefore;
    this.flagsFrom = flagsFrom;
    this.untrackedHot = untracked(Verdict.Kind.HOT);
    this.untrackedEarly = untracked(Verdict.Kind.EARLY);
    this.untrackedUncertain = untracked(Verdict.Kind.UNCERTAIN);
  }

  static Pane first(Limits limits, long now) {
    return new Pane(0, now, limits, 0, flags(), flags(), 0);
  }

  /** Returns the pane that holds a reading at or after this pane's end. */
  Pane at(long now) {
    long turns = (now - startNanos) / limits.paneNanos;
    long next = epoch + turns;
    long start = startNanos + turns * limits.paneNanos;
    long life = limits.settings.panes() + 1L;
    if (next - flagsFrom < life) {
      return new Pane(next, start, limits, coolFrom, warm, warmBefore, flagsFrom);
    }
    long[] before = next - flagsFrom < 2 * life ? warm : flags();
    return new Pane(next, start, limits, coolFrom, flags(), before, next);
  }

  /**
   * Returns this pane under a new threshold. Under a lower one a key may have its share already and
   * no flag for it, so every flag is set until what was counted before has expired.
   */
  Pane withThreshold(Limits other) {
    if (other.share >= limits.share) {
      return new Pane(epoch, startNanos, other, coolFrom, warm, warmBefore, flagsFrom);
    }
    long[] all = flags();
    Arrays.fill(all, -1L);
    return new Pane(epoch, startNanos, other, coolFrom, flags(), all, epoch);
  }

  /** Returns a pane that begins now, of another length, with all that was counted expired. */
  Pane withWindow(Limits other, long now) {
    long panes = other.settings.panes();
    long next = epoch + panes + 1;
    return new Pane(next, now, other, next + panes, flags(), warm, next);
  }

  boolean isOver(long now) {
    return now - startNanos >= paneNanos;
  }

  /** Returns how many full panes it takes, with the present one so far, to span a second. */
  int panesToASecond(long now) {
    long missing = Math.max(0, SECOND - elapsed(now));
    return (int) ((missing + paneNanos - 1) / paneNanos);
  }

  /** Returns the time that the present pane so far and so many full ones span. */
  long span(long now, int full) {
    return elapsed(now) + full * paneNanos;
  }

  /** Returns how old this pane is; a reading from before it is one of its start. */
  private long elapsed(long now) {
    return Math.max(0, now - startNanos);
  }

  boolean isWarm(long mixed) {
    int bit = bit(mixed);
    long now = (long) WORDS.getAcquire(warm, bit >> 6);
    long before = (long) WORDS.getAcquire(warmBefore, bit >> 6);
    return ((now | before) & (1L << bit)) != 0;
  }

  /**
   * Returns a negative number if a touch of a key without a place has to be judged: its own stripe
   * has counted the key's share, or the key is warm.
   */
  long called(long own, long mixed) {
    int bit = bit(mixed);
    long now = (long) WORDS.getAcquire(warm, bit >> 6);
    long before = (long) WORDS.getAcquire(warmBefore, bit >> 6);
    return (now | before) << ~bit | ~(own - share);
  }

  /** Returns whether the flag is set among the present ones, so that it outlives the window. */
  boolean isFlagged(long mixed) {
    int bit = bit(mixed);
    return ((long) WORDS.getAcquire(warm, bit >> 6) & (1L << bit)) != 0;
  }

  void setWarm(long mixed) {
    if (!isFlagged(mixed)) {
      int bit = bit(mixed);
      long unused = (long) WORDS.getAndBitwiseOr(warm, bit >> 6, 1L << bit);
    }
  }

  /** Returns the bit of a hash that was mixed; the upper bits choose the audit's sample. */
  private static int bit(long mixed) {
    return (int) (mixed >>> (Long.SIZE - FLAG_BITS - Audit.SAMPLE_BITS)) & ((1 << FLAG_BITS) - 1);
  }

  private Verdict untracked(Verdict.Kind kind) {
    long estimate = limits.hotAt;
    double rate = limits.rate(estimate);
    return new Verdict(kind, rate, estimate, estimate, 0, startNanos, false);
  }

  private static long[] flags() {
    return new long[1 << (FLAG_BITS - 6)];
  }

  static long bytes() {
    return 2L * ((1 << (FLAG_BITS - 3)) + 16) + 96 + 3 * 64;
  }
}
