package io.heatshield.micrometer;

import static io.heatshield.micrometer.MeterDefinition.counter;
import static io.heatshield.micrometer.MeterDefinition.gauge;

import io.heatshield.detect.HotKeyDetector;
import java.util.List;

/** The meters of a detector. */
final class DetectorMeters {
  static final List<MeterDefinition<HotKeyDetector>> METERS =
      List.of(
          counter("touches", "Requests counted", detector -> detector.stats().touches()),
          gauge("hot.keys", "Hot keys", detector -> detector.stats().hot()),
          gauge(
              "estimate.error.bound",
              "Maximum overestimate of a request count, with the confidence of the sketch",
              detector -> detector.stats().errorBound()),
          gauge(
              "estimate.error.observed",
              "Mean overestimate of a request count, measured on an exact sample of keys",
              detector -> detector.audit().meanError()),
          counter(
              "audit.due",
              "Sampled keys that reached the threshold by their exact count",
              detector -> detector.audit().due()),
          counter(
              "audit.found",
              "Sampled keys that were then reported as hot",
              detector -> detector.audit().found()),
          gauge(
              "hot.prefixes",
              "Hot prefixes, not counting the requests of their hot keys",
              detector -> detector.hotPrefixes().size()),
          gauge(
              "detection.floor",
              "Requests per second below which an estimate may be due to the error alone",
              detector -> detector.stats().floorRate()));

  private DetectorMeters() {}
}
