package io.heatshield.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyHistogramTest {

  @ParameterizedTest
  @CsvSource({
    "-5, 0",
    "0, 0",
    "1, 0",
    "16384, 0",
    "16385, 1",
    "32768, 1",
    "32769, 2",
    "536870912, 15",
    "536870913, 16",
    "9223372036854775807, 16"
  })
  void record_duration_fallsIntoTheBucketWhoseBoundIsTheFirstNotBelowIt(long nanos, int bucket) {
    var histogram = new LatencyHistogram();

    histogram.record(nanos);

    assertThat(histogram.count(bucket)).isEqualTo(1);
    assertThat(histogram.count()).isEqualTo(1);
  }

  @Test
  void latency_scraped_showsCumulativeBucketsSumAndCount() {
    try (var metrics = new Metrics()) {
      var histogram = new LatencyHistogram();
      metrics.latency("answer_seconds", "How long answers took", histogram);

      histogram.record(10_000);
      histogram.record(20_000);
      histogram.record(2_000_000_000);

      assertThat(metrics.scrape())
          .contains("# TYPE heatshield_answer_seconds histogram")
          .contains("heatshield_answer_seconds_bucket{le=\"1.6384E-5\"} 1")
          .contains("heatshield_answer_seconds_bucket{le=\"3.2768E-5\"} 2")
          .contains("heatshield_answer_seconds_bucket{le=\"+Inf\"} 3")
          .contains("heatshield_answer_seconds_count 3")
          .contains("heatshield_answer_seconds_sum 2.00003");
    }
  }
}
