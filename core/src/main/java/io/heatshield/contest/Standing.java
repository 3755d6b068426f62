package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import io.heatshield.key.KeyText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An immutable copy of an entry, with its score as of the time it was taken. */
public final class Standing {
  /** By score, the highest first; ties by key as unsigned bytes. */
  static final Comparator<Standing> HIGHEST_FIRST =
      Comparator.comparingDouble(Standing::score)
          .reversed()
          .thenComparing((a, b) -> Arrays.compareUnsigned(a.stored, b.stored));

  private final long hash;
  private final byte[] stored;
  private final double scoreAtTouch;
  private final double score;
  private final double rate;
  private final float doubt;
  private final long ageNanos;
  private final Distinct distinct;
  private final long @Nullable [] distinctState;

  Standing(
      long hash,
      byte[] stored,
      double scoreAtTouch,
      double score,
      double rate,
      float doubt,
      long ageNanos,
      Distinct distinct,
      long @Nullable [] distinctState) {
    this.hash = hash;
    this.stored = stored;
    this.scoreAtTouch = scoreAtTouch;
    this.score = score;
    this.rate = rate;
    this.doubt = doubt;
    this.ageNanos = ageNanos;
    this.distinct = distinct;
    this.distinctState = distinctState;
  }

  /** Returns a copy of the key's bytes; of a key over 512 bytes, the first 512. */
  public byte[] key() {
    return KeyForm.visible(stored);
  }

  /** Returns the length of the key in bytes, as it came in. */
  public int length() {
    return KeyForm.fullLength(stored);
  }

  /** Returns the decayed sum of weights: one touch of weight 1 just now is 1. */
  public double score() {
    return score;
  }

  /** Returns the score by the window: touches per second. */
  public double rate() {
    return rate;
  }

  /**
   * Returns by how much the rate may be too high: 0 for a key that found a free slot, and falling
   * with every touch for one that won its place. It is never too low.
   */
  public double rateError() {
    return rate * doubt;
  }

  /** Returns how long ago the key was touched. */
  public Duration age() {
    return Duration.ofNanos(ageNanos);
  }

  /** Returns the estimate of distinct values; 0 if the table counts none. */
  public Distinct distinct() {
    return distinct;
  }

  /** Returns the key, printable, and its rate. */
  @Override
  public String toString() {
    return KeyText.of(key()) + String.format(Locale.ROOT, "=%.3f/s", rate);
  }

  long hash() {
    return hash;
  }

  byte[] stored() {
    return stored;
  }

  /** Returns the score as of the last touch, which is {@link #ageNanos} ago. */
  double scoreAtTouch() {
    return scoreAtTouch;
  }

  float doubt() {
    return doubt;
  }

  long ageNanos() {
    return ageNanos;
  }

  /** Returns the bitmap with its age in the place of its time, not to be written; or null. */
  long @Nullable [] distinctState() {
    return distinctState;
  }

  /** Returns a bitmap of its own for an entry, or null if there is none of the right size. */
  long @Nullable [] distinctState(@Nullable Cardinality cardinality, long now) {
    long[] state = distinctState;
    if (state == null || cardinality == null || state.length != cardinality.words()) {
      return null;
    }
    return shifted(state, now);
  }

  /** Returns a copy of a bitmap with its age in the place of its time; or null. */
  static long @Nullable [] relative(long @Nullable [] state, long now) {
    return state == null ? null : shifted(state, now);
  }

  /** Turns a time into an age, and an age into a time. */
  private static long[] shifted(long[] state, long now) {
    long[] copy = state.clone();
    copy[Cardinality.TIME] = now - copy[Cardinality.TIME];
    return copy;
  }
}
