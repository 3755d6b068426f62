package io.heatshield.insight.incident;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One time that a key was hot, from the moment it turned hot until it cooled.
 *
 * @param id a number that no other incident of the process has
 * @param scope where the key lives
 * @param key the key's shown form
 * @param keyHash the label that logs and metrics have for it
 * @param startMillis when it turned hot, in Unix milliseconds
 * @param endMillis when it had cooled; null while it is hot
 * @param times how often it turned hot; more than 1 if it cooled only briefly in between
 * @param rate requests per second when last seen hot
 * @param peakRate the highest rate that was seen
 * @param explained what was last known about the key while it was hot, as the explanation of a key
 *     has it; null if it was not explained
 */
public record Incident(
    long id,
    String scope,
    String key,
    String keyHash,
    long startMillis,
    @Nullable Long endMillis,
    int times,
    double rate,
    double peakRate,
    @Nullable Map<String, @Nullable Object> explained) {

  /** Returns whether the key is still hot. */
  public boolean isOpen() {
    return endMillis == null;
  }

  /** Returns this incident as it is now that the key was seen hot again. */
  Incident seen(double rateNow, @Nullable Map<String, @Nullable Object> explanation) {
    return new Incident(
        id,
        scope,
        key,
        keyHash,
        startMillis,
        null,
        isOpen() ? times : times + 1,
        rateNow,
        Math.max(peakRate, rateNow),
        explanation == null ? explained : explanation);
  }

  /** Returns this incident as ended. */
  Incident ended(long atMillis) {
    return new Incident(
        id, scope, key, keyHash, startMillis, atMillis, times, rate, peakRate, explained);
  }
}
