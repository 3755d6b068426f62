package io.heatshield.insight.series;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** The samples of one scope, NaN where not measured. Guarded by the lock of the recorder. */
final class Ring {
  private final Map<Metric, float[]> values = new EnumMap<>(Metric.class);

  Ring(int samples) {
    for (Metric metric : Metric.values()) {
      float[] line = new float[samples];
      Arrays.fill(line, Float.NaN);
      values.put(metric, line);
    }
  }

  void set(Metric metric, int at, double value) {
    line(metric)[at] = (float) value;
  }

  float get(Metric metric, int at) {
    return line(metric)[at];
  }

  void clear(int at) {
    values.values().forEach(line -> line[at] = Float.NaN);
  }

  private float[] line(Metric metric) {
    return values.getOrDefault(metric, new float[0]);
  }
}
