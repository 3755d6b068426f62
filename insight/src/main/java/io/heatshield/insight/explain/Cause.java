package io.heatshield.insight.explain;

import org.jspecify.annotations.Nullable;

/**
 * Why a key is hot, as far as its uses tell.
 *
 * <p>The first that fits is taken, in the order here: a scanner also misses, and a client that runs
 * away may write.
 */
public enum Cause {
  /** One caller goes through many keys, each about as often as the others. */
  SCANNER,
  /** The key is written at least as often as it is read. */
  WRITE_STORM,
  /** What is asked for is not there. */
  MISSING_KEY,
  /** One caller does little else than use this key. */
  RUNAWAY_CLIENT,
  /** Many callers read it, or some that do much else. */
  VIRAL_KEY,
  /** How the key is used is not known here. */
  UNKNOWN;

  static final double MOST_MISS = 0.9;
  static final double MANY_WRITES = 0.5;
  static final double ONE_CALLER = 0.5;
  static final double LITTLE_ELSE = 0.5;
  static final long FEW_KEYS = 16;
  static final long MANY_KEYS = 256;
  static final double EVEN = 4;

  /** Returns the cause that the uses of a key show. */
  public static Cause of(@Nullable KeyUses uses) {
    if (uses == null) {
      return UNKNOWN;
    }
    KeyUses.Caller caller = uses.busiest();
    KeyUses.Caller one = caller != null && caller.share() >= ONE_CALLER ? caller : null;
    if (one != null && one.keys() >= MANY_KEYS && one.ownShare() * one.keys() <= EVEN) {
      return SCANNER;
    }
    if (uses.writeShare() >= MANY_WRITES) {
      return WRITE_STORM;
    }
    if (uses.missShare() >= MOST_MISS) {
      return MISSING_KEY;
    }
    boolean hammers = one != null && (one.ownShare() >= LITTLE_ELSE || one.keys() <= FEW_KEYS);
    return hammers ? RUNAWAY_CLIENT : VIRAL_KEY;
  }
}
