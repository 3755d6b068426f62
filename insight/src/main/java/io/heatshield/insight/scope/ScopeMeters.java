package io.heatshield.insight.scope;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.runtime.metrics.Metrics;

/** The metrics of one scope. */
final class ScopeMeters {
  private ScopeMeters() {}

  static void bind(Metrics metrics, String scope, HotKeyDetector detector) {
    String[] label = {"scope", scope};
    metrics.counter("touches", "Requests counted", () -> detector.stats().touches(), label);
    metrics.gauge("hot.keys", "Hot keys", () -> detector.stats().hot(), label);
    metrics.gauge(
        "estimate.error.bound",
        "Maximum overestimate of a request count, with the confidence of the sketch",
        () -> detector.stats().errorBound(),
        label);
    metrics.gauge(
        "estimate.error.observed",
        "Mean overestimate of a request count, measured on an exact sample of keys",
        () -> detector.audit().meanError(),
        label);
    metrics.counter(
        "audit.due",
        "Sampled keys that reached the threshold by their exact count",
        () -> detector.audit().due(),
        label);
    metrics.counter(
        "audit.found",
        "Sampled keys that were then reported as hot",
        () -> detector.audit().found(),
        label);
    metrics.gauge(
        "hot.prefixes",
        "Hot prefixes, not counting the requests of their hot keys",
        () -> detector.hotPrefixes().size(),
        label);
    metrics.gauge(
        "detection.floor",
        "Requests per second below which an estimate may be due to the error alone",
        () -> detector.stats().floorRate(),
        label);
  }
}
