package io.heatshield.detect;

/**
 * The result of a touch: cool, or hot with the estimate, its error and its exact part.
 *
 * <pre>{@code
 * if (detector.touch("user:42").isHot()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>A verdict is immutable. The detector returns the same object until the key's counts have grown
 * by 1/16, at most until the next pane, so a touch allocates nothing. The estimate is rounded up by
 * this part: it is never below the true number at any touch that returns the verdict. {@link
 * HotKeyDetector#estimate} and reports are not rounded. Verdicts are compared by identity.
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

  /** The part of an estimate, as a power of two, by which it grows until a verdict is renewed. */
  static final int LAG_SHIFT = 4;

  private static final long UNTRACKED = -1;

  /** The verdict on all keys that are not known to be hot. */
  public static final Verdict COOL = new Verdict(Kind.COOL, 0, 0, 0, 0, 0, UNTRACKED);

  private final Kind kind;
  private final double rate;
  private final long estimate;
  private final long error;
  private final long guaranteed;
  private final long sinceNanos;
  private final long epoch;

  private Verdict(
      Kind kind,
      double rate,
      long estimate,
      long error,
      long guaranteed,
      long sinceNanos,
      long epoch) {
    this.kind = kind;
    this.rate = rate;
    this.estimate = estimate;
    this.error = error;
    this.guaranteed = guaranteed;
    this.sinceNanos = sinceNanos;
    this.epoch = epoch;
  }

  /**
   * Returns the verdict on a tracked key, which is kept until its sum has grown by 1/16.
   *
   * @param error by how much the sum may be too high
   */
  static Verdict tracked(
      Kind kind, Pane pane, long sum, long error, long guaranteed, long sinceNanos) {
    long lag = sum >> LAG_SHIFT;
    long estimate = sum + lag;
    return new Verdict(
        kind, pane.rate(estimate), estimate, error + lag, guaranteed, sinceNanos, pane.epoch);
  }

  /** Returns the verdict on one touch of a key without a place in the table. */
  static Verdict untracked(Kind kind, Pane pane, long sum) {
    return new Verdict(kind, pane.rate(sum), sum, sum, 0, pane.startNanos, UNTRACKED);
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
   * Returns by how much the estimate may be too high: the part by which it is rounded up, and the
   * sketch's bound, with its probability, or the part that is not guaranteed, if that is less.
   */
  public long error() {
    return error;
  }

  /** Returns the exactly counted touches in the window, which is never too high. */
  public long guaranteed() {
    return guaranteed;
  }

  /**
   * Returns whether a hot or uncertain key has a place in the detector's table. A key without one
   * is in no list, and no listener is called.
   */
  public boolean tracked() {
    return epoch != UNTRACKED;
  }

  /** Returns the ticker's reading when the key turned hot, or was first uncertain. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** Returns whether another verdict on the same key is from later counts, by all one can tell. */
  boolean isOlderThan(Verdict other) {
    return epoch < other.epoch || (epoch == other.epoch && estimate < other.estimate);
  }

  @Override
  public String toString() {
    return kind == Kind.COOL
        ? "COOL"
        : kind + "[rate=" + rate + ", estimate=" + estimate + " - " + error + "]";
  }
}
