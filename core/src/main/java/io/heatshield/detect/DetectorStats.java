package io.heatshield.detect;

import java.util.List;

/**
 * Statistics about a detector at one time.
 *
 * @param touches the sum of all weights since the detector was created
 * @param inWindow the sum of the weights in the window
 * @param hot the number of keys that are hot or early
 * @param uncertain the number of uncertain keys
 * @param kept the number of keys with a place in the table
 * @param untrackedHot the number of touches of hot keys without a place in the table
 * @param admissions the number of keys that won a place
 * @param drops the number of admissions that were dropped because another was in progress; the
 *     key's next touch tries again
 * @param listenerFaults the number of exceptions that the listeners threw
 * @param overloaded whether the sketch's error reaches the threshold
 * @param sufficientWidth the width whose error would stay below the threshold for this traffic
 * @param errorBound by how much an estimate may be too high, with the sketch's confidence
 * @param floorRate touches per second below which an estimate may be noise alone
 * @param bytes the most memory that the detector takes
 */
public record DetectorStats(
    long touches,
    long inWindow,
    int hot,
    int uncertain,
    int kept,
    long untrackedHot,
    long admissions,
    long drops,
    long listenerFaults,
    boolean overloaded,
    long sufficientWidth,
    long errorBound,
    double floorRate,
    long bytes) {

  static DetectorStats of(
      Pane pane,
      DetectorStripes stripes,
      Candidates candidates,
      Judge judge,
      Audit audit,
      long bytes) {
    long inWindow = stripes.inWindow(pane.epoch);
    long bound = pane.errorBound(inWindow);
    AuditReport audited = audit.report(pane);
    List<Candidate> all = candidates.all();
    return new DetectorStats(
        stripes.touches(),
        inWindow,
        (int) all.stream().filter(Candidate::isHot).count(),
        (int) all.stream().filter(Candidate::isUncertain).count(),
        all.size(),
        judge.untracked(),
        candidates.admissions(),
        candidates.drops(),
        judge.faults(),
        inWindow >= pane.overloadAt,
        pane.sufficientWidth(inWindow),
        bound,
        pane.rate(audited.keys() == 0 ? bound : audited.maxError()),
        bytes);
  }
}
