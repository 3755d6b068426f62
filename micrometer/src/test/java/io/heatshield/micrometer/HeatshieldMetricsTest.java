package io.heatshield.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.contest.HeavyHitters;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.filter.CuckooFilter;
import io.heatshield.ring.HotRing;
import io.heatshield.sketch.CountMinSketch;
import io.heatshield.testkit.metrics.PrometheusText;
import io.heatshield.time.Ticker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HeatshieldMetricsTest {
  private static final String KEY = "secret-key-of-a-user";

  private final MockClock clock = new MockClock();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);

  @AfterEach
  void close() {
    registry.close();
  }

  @Test
  void bindTo_detector_givesTheMetricsOfTheServer() {
    new HeatshieldMetrics(detector(), "users").bindTo(registry);

    assertThat(PrometheusText.metrics(registry.scrape()))
        .containsExactlyElementsOf(ServerMetrics.labelled("scope"));
  }

  @Test
  void bindTo_tableAndItsBlocks_giveTheMetricsOfTheServer() {
    new HeatshieldMetrics(table(), "clients").bindTo(registry);

    assertThat(PrometheusText.metrics(registry.scrape()))
        .containsExactlyElementsOf(
            ServerMetrics.labelled("table").stream()
                .filter(metric -> !metric.startsWith("heatshield_table_log_"))
                .toList());
  }

  @Test
  void bindTo_structuresThatTheServerHasNotByThemselves_givesTheirMetrics() {
    new HeatshieldMetrics(ring(() -> 0), "orders").bindTo(registry);
    new HeatshieldMetrics(filter(), "known").bindTo(registry);
    new HeatshieldMetrics(sketch(), "paths").bindTo(registry);

    assertThat(String.join("\n", PrometheusText.metrics(registry.scrape())))
        .isEqualTo(
            """
            heatshield_filter_bytes gauge [filter] Memory of a filter
            heatshield_filter_capacity gauge [filter] Fingerprints that fit before a filter grows or refuses keys
            heatshield_filter_false_positive_rate gauge [filter] Probability that an absent key looks present, at the present load
            heatshield_filter_kept_total counter [filter] Keys not removed because several tables of the filter match them
            heatshield_filter_keys gauge [filter] Fingerprints in a filter
            heatshield_filter_rebuild_wanted gauge [filter] 1 if the filter waits to be rebuilt
            heatshield_filter_refused_total counter [filter] Keys refused because a filter was full
            heatshield_ring_bytes gauge [ring] Maximum memory of the keys of a ring
            heatshield_ring_drops_total counter [ring] Requests not counted because the ring was full
            heatshield_ring_evicted_total counter [ring] Keys evicted from a full ring because of a lower count
            heatshield_ring_expired_total counter [ring] Keys removed because their counts expired
            heatshield_ring_inserts_total counter [ring] Keys inserted into a ring
            heatshield_ring_keys gauge [ring] Keys whose counts have not expired
            heatshield_ring_refused_total counter [ring] Requests refused because their key is at its limit
            heatshield_ring_removes_total counter [ring] Keys removed from a ring by a call
            heatshield_ring_touches_total counter [ring] Requests counted by a ring
            heatshield_sketch_bytes gauge [sketch] Memory of a sketch
            heatshield_sketch_error_bound gauge [sketch] Maximum overestimate of a request count, with the confidence of the sketch
            heatshield_sketch_saturated gauge [sketch] 1 if a counter has reached its maximum, so that estimates may be too low
            heatshield_sketch_touches_total counter [sketch] Requests counted by a sketch
            """
                .strip());
  }

  @Test
  void scrape_afterTouches_showsTheStatistics() {
    HotKeyDetector detector = detector();
    new HeatshieldMetrics(detector, "users").bindTo(registry);

    for (int i = 0; i < 500; i++) {
      detector.touch(KEY);
    }

    assertThat(registry.scrape())
        .contains("heatshield_touches_total{scope=\"users\"} 500.0")
        .contains("heatshield_hot_keys{scope=\"users\"} 1.0");
  }

  @Test
  void scrape_afterTouches_hasTheSeriesOfBeforeAndNoKey() {
    HotKeyDetector detector = detector();
    HotRing ring = ring(() -> 0);
    HeavyHitters table = table();
    new HeatshieldMetrics(detector, "users").bindTo(registry);
    new HeatshieldMetrics(ring, "orders").bindTo(registry);
    new HeatshieldMetrics(table, "clients").bindTo(registry);
    long before = registry.scrape().lines().count();

    for (int i = 0; i < 500; i++) {
      detector.touch(KEY);
      ring.touch(KEY);
      table.touch(KEY);
    }
    clock.add(Duration.ofSeconds(1));
    String scrape = registry.scrape();

    assertThat(scrape.lines()).hasSize((int) before);
    assertThat(scrape)
        .contains("heatshield_ring_touches_total{ring=\"orders\"} 500.0")
        .doesNotContain(KEY);
  }

  @Test
  void scrape_ringWithinASecond_sharesStatistics() {
    HotRing ring = ring(() -> 0);
    new HeatshieldMetrics(ring, "orders").bindTo(registry);
    assertThat(registry.scrape()).contains("heatshield_ring_touches_total{ring=\"orders\"} 0.0");

    ring.touch(KEY);
    clock.add(Duration.ofMillis(999));
    String shared = registry.scrape();
    clock.add(Duration.ofMillis(1));
    String fresh = registry.scrape();

    assertThat(shared)
        .contains("heatshield_ring_touches_total{ring=\"orders\"} 0.0")
        .contains("heatshield_ring_keys{ring=\"orders\"} 0.0");
    assertThat(fresh)
        .contains("heatshield_ring_touches_total{ring=\"orders\"} 1.0")
        .contains("heatshield_ring_keys{ring=\"orders\"} 1.0");
  }

  @Test
  void scrape_statisticsThrow_showsTheOtherMetrics() {
    var ticker = new BreakableTicker();
    HotRing ring = ring(ticker);
    ring.touch(KEY);
    new HeatshieldMetrics(ring, "broken").bindTo(registry);
    new HeatshieldMetrics(ring(() -> 0), "sound").bindTo(registry);
    assertThat(registry.scrape()).contains("heatshield_ring_touches_total{ring=\"broken\"} 1.0");

    ticker.broken = true;
    clock.add(Duration.ofSeconds(1));

    assertThat(registry.scrape())
        .contains("heatshield_ring_touches_total{ring=\"broken\"} 1.0")
        .contains("heatshield_ring_keys{ring=\"broken\"} NaN")
        .contains("heatshield_ring_keys{ring=\"sound\"} 0.0");
  }

  @Test
  void bindTo_twoNames_haveSeriesEach() {
    new HeatshieldMetrics(detector(), "users").bindTo(registry);
    new HeatshieldMetrics(detector(), "orders").bindTo(registry);

    assertThat(registry.scrape())
        .contains("heatshield_touches_total{scope=\"users\"}")
        .contains("heatshield_touches_total{scope=\"orders\"}");
  }

  @Test
  void bindTo_nameOfAnotherStructure_isRefusedUntilThatIsUnbound() {
    HotKeyDetector second = detector();
    var first = new HeatshieldMetrics(detector(), "users");
    first.bindTo(registry);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HeatshieldMetrics(second, "users").bindTo(registry))
        .withMessage("name must be the name of one structure only in a registry: users");
    first.unbindFrom(registry);
    assertThat(registry.getMeters()).isEmpty();
    second.touch(KEY);
    new HeatshieldMetrics(second, "users").bindTo(registry);

    assertThat(registry.scrape()).contains("heatshield_touches_total{scope=\"users\"} 1.0");
  }

  @Test
  void bindTo_oneNameForTwoKinds_haveSeriesEach() {
    new HeatshieldMetrics(detector(), "users").bindTo(registry);
    new HeatshieldMetrics(ring(() -> 0), "users").bindTo(registry);

    assertThat(registry.scrape())
        .contains("heatshield_touches_total{scope=\"users\"}")
        .contains("heatshield_ring_touches_total{ring=\"users\"}");
  }

  @Test
  void constructor_emptyName_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HeatshieldMetrics(sketch(), ""))
        .withMessage("name must not be empty");
  }

  @Test
  @Timeout(60)
  void bindTo_structureWithoutOtherUsers_doesNotKeepItAlive() {
    var simple = new SimpleMeterRegistry();
    WeakReference<HotKeyDetector> detector = bindAndForget(simple);

    while (detector.get() != null) {
      System.gc();
    }

    assertThat(simple.get("heatshield.hot.keys").gauge().value()).isNaN();
    assertThat(simple.get("heatshield.touches").functionCounter().count()).isEqualTo(1);
  }

  private static WeakReference<HotKeyDetector> bindAndForget(SimpleMeterRegistry registry) {
    HotKeyDetector detector = detector();
    detector.touch(KEY);
    new HeatshieldMetrics(detector, "users").bindTo(registry);
    assertThat(registry.get("heatshield.touches").functionCounter().count()).isEqualTo(1);
    assertThat(registry.get("heatshield.hot.keys").gauge()).isInstanceOf(Gauge.class);
    return new WeakReference<>(detector);
  }

  private static HotKeyDetector detector() {
    return HotKeyDetector.builder().window(Duration.ofSeconds(10)).threshold(10).build();
  }

  private static HotRing ring(Ticker ticker) {
    return HotRing.builder().ticker(ticker).build();
  }

  private static HeavyHitters table() {
    return HeavyHitters.builder().build();
  }

  private static CuckooFilter filter() {
    return CuckooFilter.builder().build();
  }

  private static CountMinSketch sketch() {
    return CountMinSketch.builder().build();
  }

  /** A ticker that throws once it is broken. */
  private static final class BreakableTicker implements Ticker {
    private volatile boolean broken;

    @Override
    public long nanos() {
      if (broken) {
        throw new IllegalStateException("broken on purpose");
      }
      return 0;
    }
  }
}
