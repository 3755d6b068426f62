package io.heatshield.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RatiosTest {
  private static final String JSON =
      """
      [ { "jmhVersion" : "1.37",
          "benchmark" : "io.heatshield.bench.KeyHashBenchmark.fastBytes",
          "mode" : "avgt", "threads" : 2, "forks" : 1,
          "params" : { "length" : "24" },
          "primaryMetric" : { "score" : 3.5, "scoreError" : "NaN",
            "scoreConfidence" : [ 1.0, 2.0 ], "scoreUnit" : "ns/op", "rawData" : [ [ 3.5, 4.0E1 ], [\n 3.25 ] ] },
          "secondaryMetrics" : {
            "gc.alloc.rate" : { "score" : 9.0, "scoreError" : 1.0, "scoreUnit" : "MB/sec" },
            "gc.alloc.rate.norm" : { "score" : 1.0E-5, "scoreError" : 1.0, "scoreUnit" : "B/op" } } },
        { "benchmark" : "io.heatshield.bench.CountMinSketchBenchmark.touchText",
          "threads" : 1,
          "primaryMetric" : { "score" : 12.25, "scoreError" : 0.5, "scoreUnit" : "ns/op",
            "rawData" : [ [ 12.25 ] ] },
          "secondaryMetrics" : { } } ]
      """;

  @Test
  void parse_fileOfJmh_givesNameThreadsParametersAndFigures() {
    List<JmhResult> results = JmhResult.parse(JSON);

    assertThat(results)
        .containsExactly(
            new JmhResult("KeyHashBenchmark.fastBytes/2 length=24", 3.5, 3.25, Double.NaN, 1.0E-5),
            new JmhResult("CountMinSketchBenchmark.touchText/1", 12.25, 12.25, 0.5, Double.NaN));
  }

  @Test
  void parse_otherUnit_isRefused() {
    String throughput = JSON.replace("ns/op", "ops/s");

    assertThatThrownBy(() -> JmhResult.parse(throughput))
        .hasMessage("scoreUnit must be ns/op: ops/s");
  }

  @Test
  void report_ratiosOnBothSidesOfTheBar_passAndFail() {
    Map<String, JmhResult> results = new LinkedHashMap<>();
    put(results, "CountMinSketchBenchmark.touchBytes/1", 29, 0);
    put(results, "CountMinSketchBenchmark.rivalCaffeineBytes/1", 50, 0);
    put(results, "CountMinSketchBenchmark.touchText/1", 16, 24);
    put(results, "CountMinSketchBenchmark.rivalCaffeineText/1", 25, 0);

    String report = Ratios.report(results, "a machine", "a command", LocalDate.of(2026, 11, 15));

    assertThat(report)
        .contains("# Benchmarks of 2026-11-15", "Machine: a machine", "Command: `a command`")
        .contains("| 0.58 | 0.60 | pass |")
        .contains("| 0.64 | 0.60 | **FAIL** |")
        .contains("`CountMinSketchBenchmark.touchBytes/1` | 0 | 0.00 | pass |")
        .contains("`CountMinSketchBenchmark.touchText/1` | 0 | 24.00 | **FAIL** |")
        .contains("not run");
  }

  @Test
  void report_bytesOnBothSidesOfWhatIsAllowed_passAndFail() {
    Map<String, JmhResult> within = new LinkedHashMap<>();
    Map<String, JmhResult> beyond = new LinkedHashMap<>();
    put(within, "RateLimiterBenchmark.decide/1", 100, 600);
    put(beyond, "RateLimiterBenchmark.decide/1", 100, 608);

    assertThat(Ratios.report(within, "m", "c", LocalDate.of(2026, 11, 15)))
        .contains("`RateLimiterBenchmark.decide/1` | 600 | 600.00 | pass |");
    assertThat(Ratios.report(beyond, "m", "c", LocalDate.of(2026, 11, 15)))
        .contains("`RateLimiterBenchmark.decide/1` | 600 | 608.00 | **FAIL** |");
  }

  private static void put(Map<String, JmhResult> results, String name, double nanos, double bytes) {
    results.put(name, new JmhResult(name, nanos * 2, nanos, 1, bytes));
  }
}
