package io.heatshield.insight.incident;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A period in which a key was hot.
 *
 * @param id the unique number of the incident
 * @param scope the scope of the key
 * @param key the printable form of the key
 * @param keyHash the label of the key in logs and metrics
 * @param startMillis when the key turned hot, in Unix milliseconds
 * @param endMillis when the key cooled; null while it is hot
 * @param times how often the key turned hot; more than 1 if it cooled only briefly in between
 * @param rate the last rate while it was hot, in requests per second
 * @param peakRate the highest observed rate
 * @param explained the last explanation of the key while it was hot; null if there is none
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

  /** Returns this incident after another observation of the hot key. */
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

  /** Returns this incident with an end. */
  Incident ended(long atMillis) {
    return new Incident(
        id, scope, key, keyHash, startMillis, atMillis, times, rate, peakRate, explained);
  }
}
