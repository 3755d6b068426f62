package io.heatshield.detect;

/**
 * The answer to a touch: cool, or hot with the numbers that say why and how sure that is.
 *
 * <p>A verdict is immutable. The detector hands out the same object until the key's numbers have
 * moved, so the estimate may lag behind the present one by 1/16 of it within a pane; it is renewed
 * at the first touch of each pane. Verdicts are compared by identity.
 */
public final class Verdict {
  /** What a verdict says about its key. */
  public enum Kind {
    /** Below the threshold. */
    COOL,
    /**
     * Above the threshold by the estimate alone, in a sketch too small for its traffic: the key may
     * be cool. It is listed, and nothing may be enforced on it.
     */
    UNCERTAIN,
    /**
     * Above the threshold over the part of a pane that has passed, or over a second and a part of a
     * pane, not yet over a window.
     */
    EARLY,
    /** At or above the threshold over a window. */
    HOT
  }

  /** The verdict on every key that is not known to be hot. */
  public static final Verdict COOL = new Verdict(Kind.COOL, 0, 0, 0, 0, 0, true);

  private final Kind kind;
  private final double rate;
  private final long estimate;
  private final long error;
  private final long guaranteed;
  private final long sinceNanos;
  private final boolean tracked;

  Verdict(
      Kind kind,
      double rate,
      long estimate,
      long error,
      long guaranteed,
      long sinceNanos,
      boolean tracked) {
    this.kind = kind;
    this.rate = rate;
    this.estimate = estimate;
    this.error = error;
    this.guaranteed = guaranteed;
    this.sinceNanos = sinceNanos;
    this.tracked = tracked;
  }

  /** Returns what this verdict says. */
  public Kind kind() {
    return kind;
  }

  /** Returns whether the key may be acted on: hot, or early and so about to be. */
  public boolean isHot() {
    return kind == Kind.HOT || kind == Kind.EARLY;
  }

  /** Returns the estimated touches per second over the window; 0 when cool. */
  public double rate() {
    return rate;
  }

  /** Returns the estimated touches in the window, never below the true number; 0 when cool. */
  public long estimate() {
    return estimate;
  }

  /**
   * Returns by how much the estimate may be too high: with the probability of the sketch's bound,
   * or for certain where the guaranteed part leaves less room.
   */
  public long error() {
    return error;
  }

  /** Returns the touches that were counted one by one in the window: certainly not too high. */
  public long guaranteed() {
    return guaranteed;
  }

  /** Returns the ticker's reading when the key turned hot, or was first uncertain. */
  public long sinceNanos() {
    return sinceNanos;
  }

  /**
   * Returns whether the key has a place in the detector's table. A hot key without one has the
   * threshold itself as its estimate, the present pane's start as its since, and tells no listener.
   */
  public boolean tracked() {
    return tracked;
  }

  @Override
  public String toString() {
    return kind == Kind.COOL
        ? "COOL"
        : kind + "[rate=" + rate + ", estimate=" + estimate + " - " + error + "]";
  }
}
