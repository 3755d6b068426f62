package io.heatshield.detect;

/**
 * The result of a touch: cool, or hot with the estimate, its error and its exact part.
 *
 * <p>A verdict is immutable. The detector returns the same object until the key's counts have grown
 * by 1/16, so the estimate may be too low by that part within a pane; it is renewed at the first
 * touch of each pane. Verdicts are compared by identity.
 */
public final class Verdict {
  /** The kinds of verdict. */
  public enum Kind {
    /** Below the threshold. */
    COOL,
    /**
     * Above the threshold by the estimate alone, in a sketch too small for its traffic: the key may
     * be cool. It is listed, but no action may be enforced on it.
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

  /** The verdict on all keys that are not known to be hot. */
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

  /** Returns the kind of this verdict. */
  public Kind kind() {
    return kind;
  }

  /** Returns whether actions may be enforced on the key: it is hot or early. */
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
   * Returns by how much the estimate may be too high: the sketch's bound, with its probability; or
   * the part that is not guaranteed, if that is less.
   */
  public long error() {
    return error;
  }

  /** Returns the exactly counted touches in the window, which is never too high. */
  public long guaranteed() {
    return guaranteed;
  }

  /** Returns the ticker's reading when the key turned hot, or was first uncertain. */
  public long sinceNanos() {
    return sinceNanos;
  }

  /**
   * Returns whether the key has a place in the detector's table. For a hot key without one, the
   * estimate is the threshold, {@link #sinceNanos} is the start of the current pane, and no
   * listener is called.
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
