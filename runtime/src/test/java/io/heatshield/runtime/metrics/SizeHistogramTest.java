package io.heatshield.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import org.junit.jupiter.api.Test;

class SizeHistogramTest {
  @Test
  void record_sizesAtTheBounds_areInTheBucketThatTheyBound() {
    var sizes = new SizeHistogram();

    for (int size : new int[] {1, 2, 3, 4, 1024, 1025, 1_000_000}) {
      sizes.record(size);
    }

    assertThat(sizes.count(0)).isEqualTo(1);
    assertThat(sizes.count(1)).isEqualTo(1);
    assertThat(sizes.count(2)).isEqualTo(2);
    assertThat(sizes.count(10)).isEqualTo(1);
    assertThat(sizes.count(SizeHistogram.BOUNDS)).isEqualTo(2);
    assertThat(sizes.fill(ClassicHistogramBuckets.builder())).isEqualTo(1_002_059);
  }

  @Test
  void scrape_aHistogramOfSizes_showsItsBuckets() {
    try (var metrics = new Metrics()) {
      var sizes = new SizeHistogram();
      metrics.sizes("flight_callers", "Callers that shared a flight", sizes);
      sizes.record(3);

      assertThat(metrics.scrape())
          .contains("heatshield_flight_callers_bucket{le=\"4.0\"} 1")
          .contains("heatshield_flight_callers_bucket{le=\"2.0\"} 0")
          .contains("heatshield_flight_callers_sum 3");
    }
  }
}
