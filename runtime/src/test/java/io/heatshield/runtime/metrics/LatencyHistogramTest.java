package io.heatshield.runtime.metrics;

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
  void quantileNanos_evenDurations_isWithinAQuarterOfTheExactOne() {
    var histogram = new LatencyHistogram();

    for (int micros = 1; micros <= 10_000; micros++) {
      histogram.record(micros * 1000L);
    }

    long[] counts = histogram.counts();
    assertThat(LatencyHistogram.quantileNanos(counts, 0.5)).isBetween(3.75e6, 6.25e6);
    assertThat(LatencyHistogram.quantileNanos(counts, 0.99)).isBetween(7.4e6, 12.4e6);
  }

  @Test
  void quantileNanos_noRecord_isNotANumber() {
    assertThat(LatencyHistogram.quantileNanos(new LatencyHistogram().counts(), 0.5)).isNaN();
  }

  @Test
  void record_weighted_countsAsThatMany() {
    var histogram = new LatencyHistogram();

    histogram.record(5_000, 8);
    histogram.record(50_000_000_000L);

    assertThat(histogram.count()).isEqualTo(9);
    assertThat(LatencyHistogram.quantileNanos(histogram.counts(), 0.5)).isBetween(4e3, 5.2e3);
    assertThat(LatencyHistogram.quantileNanos(histogram.counts(), 1)).isGreaterThan(16e9);
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
