package io.heatshield.micrometer;

import static io.heatshield.micrometer.MeterDefinition.counter;
import static io.heatshield.micrometer.MeterDefinition.gauge;

import io.heatshield.sketch.CountMinSketch;
import java.util.List;

/** The meters of a sketch. Those of a detector's sketch are among the meters of the detector. */
final class SketchMeters {
  static final List<MeterDefinition<CountMinSketch>> METERS =
      List.of(
          counter("sketch.touches", "Requests counted by a sketch", CountMinSketch::total),
          gauge(
              "sketch.error.bound",
              "Maximum overestimate of a request count, with the confidence of the sketch",
              CountMinSketch::errorBound),
          gauge(
              "sketch.saturated",
              "1 if a counter has reached its maximum, so that estimates may be too low",
              sketch -> sketch.isSaturated() ? 1 : 0),
          gauge("sketch.bytes", "Memory of a sketch", CountMinSketch::bytes));

  private SketchMeters() {}
}
