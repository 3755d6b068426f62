package io.heatshield.replay;

import org.jspecify.annotations.Nullable;

/**
 * A key that was hot by exact count, or that the detector reported.
 *
 * @param key its printable text
 * @param touches its touches in the trace
 * @param peak the highest number of touches in any window
 * @param firstMillis when the exact count first reached the threshold, or null
 * @param reportedMillis when the detector first returned hot or early, or null
 * @param uncertainMillis when the detector first returned uncertain, or null
 */
public record HotKey(
    String key,
    long touches,
    int peak,
    @Nullable Long firstMillis,
    @Nullable Long reportedMillis,
    @Nullable Long uncertainMillis) {

  /** Returns when the detector first returned a verdict other than cool, or null. */
  public @Nullable Long foundMillis() {
    if (reportedMillis == null || uncertainMillis == null) {
      return reportedMillis == null ? uncertainMillis : reportedMillis;
    }
    return Math.min(reportedMillis, uncertainMillis);
  }

  /** Returns the detection delay, negative if the detector was early; null if undetected. */
  public @Nullable Long delayMillis() {
    Long found = foundMillis();
    return found == null || firstMillis == null ? null : found - firstMillis;
  }
}
