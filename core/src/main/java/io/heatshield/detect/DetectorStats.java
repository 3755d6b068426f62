package io.heatshield.detect;

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
    long bytes) {}
