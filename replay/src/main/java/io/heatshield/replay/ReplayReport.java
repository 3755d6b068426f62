package io.heatshield.replay;

import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.DetectorStats;
import java.util.List;
import java.util.Objects;

/**
 * What a replay found.
 *
 * @param durationMillis the length of the trace by its own time
 * @param distinct keys that were counted exactly
 * @param beyond touches of keys beyond the limit of exact counts
 * @param truthKnown whether the exact counts of windows were kept to the end
 * @param hotKeys keys hot in truth or by the detector, the highest peak first
 * @param reportsBeyond verdicts other than cool on keys beyond the limit of exact counts
 * @param errors the estimates' errors
 * @param samples the detector at the ends of its panes
 * @param topKeys the keys with the most touches
 * @param detector the detector's own numbers at the end
 * @param seconds how long the run took
 */
public record ReplayReport(
    TraceFacts trace,
    DetectorSettings settings,
    long durationMillis,
    int distinct,
    long beyond,
    boolean truthKnown,
    List<HotKey> hotKeys,
    long reportsBeyond,
    Errors errors,
    List<Sample> samples,
    List<TopKey> topKeys,
    DetectorStats detector,
    double seconds) {

  /** Returns how many keys were hot in truth. */
  public long due() {
    return hotKeys.stream().filter(key -> key.firstMillis() != null).count();
  }

  /** Returns how many of the keys that were hot in truth the detector did not call cool. */
  public long found() {
    return hotKeys.stream()
        .filter(key -> key.firstMillis() != null && key.foundMillis() != null)
        .count();
  }

  /** Returns how many keys the detector called hot. */
  public long reported() {
    return hotKeys.stream().filter(key -> key.reportedMillis() != null).count();
  }

  /** Returns how many of the keys that the detector called hot were hot in truth. */
  public long rightlyReported() {
    return hotKeys.stream()
        .filter(key -> key.reportedMillis() != null && key.firstMillis() != null)
        .count();
  }

  /** Returns the found part of the keys that were hot; 1 when none was. */
  public double recall() {
    return due() == 0 ? 1 : (double) found() / due();
  }

  /** Returns the part of the reported keys that were hot; 1 when none was reported. */
  public double precision() {
    return reported() == 0 ? 1 : (double) rightlyReported() / reported();
  }

  /**
   * Returns by how much detection was later than the truth, sorted; negative where it was before.
   */
  public List<Long> delays() {
    return hotKeys.stream().map(HotKey::delayMillis).filter(Objects::nonNull).sorted().toList();
  }

  /** Returns the touches per second of the run itself. */
  public double touchesPerSecond() {
    return seconds > 0 ? trace.stats().touches() / seconds : 0;
  }
}
