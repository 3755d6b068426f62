package io.heatshield.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private final Metrics metrics = new Metrics();

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void scrape_everySample_beginsWithThePrefix() {
    metrics.counter("requests", "Requests answered", () -> 3);

    String text = metrics.scrape();

    assertThat(text.lines().filter(line -> !line.startsWith("#")))
        .isNotEmpty()
        .allMatch(line -> line.matches("(heatshield|jvm|process|system)_.*"));
    assertThat(text)
        .contains("heatshield_requests_total 3.0")
        .contains("\njvm_memory_used_bytes{")
        .contains("\nprocess_cpu_seconds_total ")
        .contains("heatshield_build_info{version=");
  }

  @Test
  void scrape_everyMeter_hasADescription() {
    String text = metrics.scrape();

    assertThat(text.lines().filter(line -> line.startsWith("# HELP")))
        .allMatch(line -> line.split(" ", 4).length == 4 && !line.split(" ", 4)[3].isBlank());
  }

  @Test
  void labelledCounter_aMillionValues_staysAtTheCapAndCountsTheRestAsOther() {
    LabelledCounter counter = metrics.labelledCounter("hits", "Hits", 10, "key_hash");

    for (int i = 0; i < 1_000_000; i++) {
      counter.increment(Integer.toHexString(i));
    }

    assertThat(samples("heatshield_hits_total")).isEqualTo(11);
    assertThat(metrics.scrape()).contains("heatshield_hits_total{key_hash=\"other\"} 999990.0");
  }

  @Test
  void labelledCounter_threadsRacingForTheLastSeries_loseNothing() throws Exception {
    LabelledCounter counter = metrics.labelledCounter("races", "Races", 7, "value");
    ExecutorService pool = Executors.newFixedThreadPool(8);
    var start = new CountDownLatch(1);
    var runs = new ArrayList<Future<?>>();
    for (int t = 0; t < 8; t++) {
      runs.add(
          pool.submit(
              () -> {
                start.await();
                for (int i = 0; i < 10_000; i++) {
                  counter.increment("v" + i % 50);
                }
                return true;
              }));
    }

    start.countDown();
    for (Future<?> run : runs) {
      run.get();
    }
    pool.shutdown();

    double sum =
        metrics
            .scrape()
            .lines()
            .filter(line -> line.startsWith("heatshield_races_total{"))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
    assertThat(sum).isEqualTo(80_000);
    assertThat(samples("heatshield_races_total")).isEqualTo(8);
  }

  @Test
  void labelledCounter_hostileValue_isEscapedInTheText() {
    metrics.labelledCounter("domains", "Domains", 10, "domain").increment("a\"\n# HELP forged");

    assertThat(metrics.scrape()).contains("domain=\"a\\\"\\n# HELP forged\"");
    assertThat(metrics.scrape().lines()).noneMatch(line -> line.startsWith("# HELP forged"));
  }

  private long samples(String name) {
    return metrics.scrape().lines().filter(line -> line.startsWith(name + "{")).count();
  }
}
