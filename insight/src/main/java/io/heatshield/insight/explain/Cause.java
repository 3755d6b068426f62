package io.heatshield.insight.explain;

import org.jspecify.annotations.Nullable;

/**
 * The cause of a hot key, derived from its usage.
 *
 * <p>The first match in this order wins: a scanner also misses, and a runaway client may also
 * write.
 */
public enum Cause {
  /** One client reads many keys, each about equally often. */
  SCANNER,
  /** The key is written at least as often as it is read. */
  WRITE_STORM,
  /** Most reads find nothing. */
  MISSING_KEY,
  /** One client uses almost only this key. */
  RUNAWAY_CLIENT,
  /** Many clients read the key, or clients that also use many other keys. */
  VIRAL_KEY,
  /** The usage of the key is not recorded. */
  UNKNOWN;

  static final double MOST_MISS = 0.9;
  static final double MANY_WRITES = 0.5;
  static final double ONE_CALLER = 0.5;
  static final double LITTLE_ELSE = 0.5;
  static final long FEW_KEYS = 16;
  static final long MANY_KEYS = 256;
  static final double EVEN = 4;

  /** Returns the cause for the usage of a key. */
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
    boolean runaway = one != null && (one.ownShare() >= LITTLE_ELSE || one.keys() <= FEW_KEYS);
    return runaway ? RUNAWAY_CLIENT : VIRAL_KEY;
  }
}
