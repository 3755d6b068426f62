package io.heatshield.contest;

import io.heatshield.key.KeyForm;
import io.heatshield.key.KeyText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An immutable copy of an entry of a table of {@link HeavyHitters}, with its current score. */
public final class KeyScore {
  /** Orders by score, highest first, then by the unsigned bytes of the key. */
  static final Comparator<KeyScore> HIGHEST_FIRST =
      Comparator.comparingDouble(KeyScore::score)
          .reversed()
          .thenComparing((a, b) -> Arrays.compareUnsigned(a.stored, b.stored));

  private final long hash;
  private final byte[] stored;
  private final double scoreAtTouch;
  private final double score;
  private final double rate;
  private final float errorShare;
  private final long ageNanos;
  private final DistinctEstimate distinct;
  private final long @Nullable [] distinctState;

  KeyScore(
      long hash,
      byte[] stored,
      double scoreAtTouch,
      double score,
      double rate,
      float errorShare,
      long ageNanos,
      DistinctEstimate distinct,
      long @Nullable [] distinctState) {
    this.hash = hash;
    this.stored = stored;
    this.scoreAtTouch = scoreAtTouch;
    this.score = score;
    this.rate = rate;
    this.errorShare = errorShare;
    this.ageNanos = ageNanos;
    this.distinct = distinct;
    this.distinctState = distinctState;
  }

  /** Returns a copy of the key's bytes; of a key over 512 bytes, the first 512. */
  public byte[] key() {
    return KeyForm.visible(stored);
  }

  /** Returns the original length of the key in bytes. */
  public int length() {
    return KeyForm.fullLength(stored);
  }

  /** Returns the decayed sum of weights; a touch of weight 1 at the time of the copy adds 1. */
  public double score() {
    return score;
  }

  /** Returns the rate in touches per second: the score divided by the window. */
  public double rate() {
    return rate;
  }

  /**
   * Returns by how much the rate may be too high. It is 0 for a key that got a free slot, and falls
   * with each touch of a key that won its slot in a contest. A rate is never too low.
   */
  public double rateError() {
    return rate * errorShare;
  }

  /** Returns the time since the last touch of the key. */
  public Duration age() {
    return Duration.ofNanos(ageNanos);
  }

  /** Returns the estimate of distinct targets; 0 if the table does not count them. */
  public DistinctEstimate distinct() {
    return distinct;
  }

  /** Returns the key, with non-printable bytes escaped, and its rate. */
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

  /** Returns the score at the last touch, {@link #ageNanos} before the copy. */
  double scoreAtTouch() {
    return scoreAtTouch;
  }

  float errorShare() {
    return errorShare;
  }

  long ageNanos() {
    return ageNanos;
  }

  /** Returns the bitmap of distinct targets, with its age instead of its time; or null. */
  long @Nullable [] distinctState() {
    return distinctState;
  }

  /** Returns a new bitmap for an entry, or null if this copy has none of the right size. */
  long @Nullable [] distinctState(@Nullable DistinctSettings settings, long now) {
    long[] state = distinctState;
    if (state == null || settings == null || state.length != settings.words()) {
      return null;
    }
    return convertTime(state, now);
  }

  /** Returns a copy of a bitmap with its age instead of its time; null for null. */
  static long @Nullable [] withAge(long @Nullable [] state, long now) {
    return state == null ? null : convertTime(state, now);
  }

  /** Returns a copy of a bitmap in which a time is converted to an age, or an age to a time. */
  private static long[] convertTime(long[] state, long now) {
    long[] copy = state.clone();
    copy[DistinctSettings.TIME] = now - copy[DistinctSettings.TIME];
    return copy;
  }
}
