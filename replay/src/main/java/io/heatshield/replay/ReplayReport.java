package io.heatshield.replay;

import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.DetectorStats;
import io.heatshield.replay.trace.TraceFacts;
import java.util.List;
import java.util.Objects;

/**
 * The result of a replay.
 *
 * @param durationMillis the length of the trace in its own time
 * @param distinct keys that were counted exactly
 * @param beyond touches of keys beyond the limit of exact counting
 * @param exact whether exact window counts were kept to the end
 * @param hotKeys keys that were hot by exact count or by the detector, highest peak first
 * @param reportsBeyond verdicts other than cool on keys beyond the limit of exact counting
 * @param errors the errors of the estimates
 * @param samples the detector's state at the end of each pane
 * @param topKeys the keys with the most touches
 * @param detector the detector's own statistics at the end
 * @param seconds the duration of the run
 */
public record ReplayReport(
    TraceFacts trace,
    DetectorSettings settings,
    long durationMillis,
    int distinct,
    long beyond,
    boolean exact,
    List<HotKey> hotKeys,
    long reportsBeyond,
    Errors errors,
    List<Sample> samples,
    List<TopKey> topKeys,
    DetectorStats detector,
    double seconds) {

  /** Returns the number of keys that were hot by exact count. */
  public long actual() {
    return hotKeys.stream().filter(key -> key.firstMillis() != null).count();
  }

  /** Returns how many of the keys that were hot by exact count the detector found. */
  public long found() {
    return hotKeys.stream()
        .filter(key -> key.firstMillis() != null && key.foundMillis() != null)
        .count();
  }

  /** Returns the number of keys that the detector reported as hot. */
  public long reported() {
    return hotKeys.stream().filter(key -> key.reportedMillis() != null).count();
  }

  /** Returns how many of the reported keys were hot by exact count. */
  public long truePositives() {
    return hotKeys.stream()
        .filter(key -> key.reportedMillis() != null && key.firstMillis() != null)
        .count();
  }

  /** Returns the fraction of hot keys that were found; 1 if there were no hot keys. */
  public double recall() {
    return actual() == 0 ? 1 : (double) found() / actual();
  }

  /** Returns the fraction of reported keys that were hot; 1 if no key was reported. */
  public double precision() {
    return reported() == 0 ? 1 : (double) truePositives() / reported();
  }

  /** Returns the sorted detection delays in milliseconds; negative where detection was early. */
  public List<Long> delays() {
    return hotKeys.stream().map(HotKey::delayMillis).filter(Objects::nonNull).sorted().toList();
  }

  /** Returns the number of touches that the run processed per second. */
  public double touchesPerSecond() {
    return seconds > 0 ? trace.stats().touches() / seconds : 0;
  }
}
