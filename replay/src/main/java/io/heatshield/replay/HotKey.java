package io.heatshield.replay;

import org.jspecify.annotations.Nullable;

/**
 * A key that was hot in truth, or that the detector held for hot.
 *
 * @param key its printable text
 * @param touches its touches in the trace
 * @param peak the most touches that any window held
 * @param firstMillis when the true count first reached the threshold, or null if it never did
 * @param reportedMillis when the detector first said hot or early, or null if it never did
 * @param doubtedMillis when it first said uncertain, or null if it never did
 */
public record HotKey(
    String key,
    long touches,
    int peak,
    @Nullable Long firstMillis,
    @Nullable Long reportedMillis,
    @Nullable Long doubtedMillis) {

  /** Returns when the detector first said anything but cool, or null if it never did. */
  public @Nullable Long foundMillis() {
    if (reportedMillis == null || doubtedMillis == null) {
      return reportedMillis == null ? doubtedMillis : reportedMillis;
    }
    return Math.min(reportedMillis, doubtedMillis);
  }

  /** Returns how long after the truth the detector spoke, negative if before; null if never. */
  public @Nullable Long delayMillis() {
    Long found = foundMillis();
    return found == null || firstMillis == null ? null : found - firstMillis;
  }
}
