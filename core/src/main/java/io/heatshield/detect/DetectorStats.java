package io.heatshield.detect;

import java.util.List;

/**
 * A snapshot of a detector's own numbers.
 *
 * @param touches the sum of all weights since the detector was made
 * @param inWindow the sum of the weights that the window holds
 * @param hot keys that are hot or early now
 * @param uncertain keys that are uncertain now
 * @param kept keys that have a place in the table
 * @param untrackedHot touches of hot keys that had no place in the table
 * @param admissions keys that won a place
 * @param drops admissions given up because another was going on; the next touch tries again
 * @param listenerFaults exceptions that the listener threw
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
