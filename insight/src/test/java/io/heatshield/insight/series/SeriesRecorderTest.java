package io.heatshield.insight.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.DetectSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.TickerClock;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.runtime.metrics.LatencyHistogram;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeriesRecorderTest {
  private final FakeTicker ticker = new FakeTicker();
  private final Clock clock = new TickerClock(ticker, Instant.ofEpochMilli(1_000_000));
  private final Metrics metrics = new Metrics();
  private final Savings savings = new Savings();
  private final ServerScopes scopes =
      new ServerScopes(
          new DetectSettings(Duration.ofSeconds(10), 4, 10, 0.8, false, 1024, 4, 10, false, 100),
          HashSecret.random(),
          ticker::nanos,
          clock,
          metrics);
  private final SeriesRecorder recorder = new SeriesRecorder(scopes, savings, clock, ticker::nanos);

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void sample_counts_areRatesOfTheTimeBetween() {
    HotKeyDetector shop = scopes.open("shop");
    Action action = savings.action("hot_reads", "shop", Mode.ENFORCE);
    var calls = new AtomicLong();
    recorder.add(new Source("shop", calls::get, null, null, null));
    recorder.sample();

    shop.touch("cart", 30);
    assertThat(action.apply(8)).isTrue();
    calls.addAndGet(22);
    sampleAfter(2);

    Samples samples = recorder.after("shop", 0);
    assertThat(samples.times()).containsExactly(1_002_000L);
    assertThat(samples.values().get(Metric.REQUESTS)).containsExactly(15f);
    assertThat(samples.values().get(Metric.SAVED)).containsExactly(4f);
    assertThat(samples.values().get(Metric.STORE_CALLS)).containsExactly(11f);
    assertThat(samples.values().get(Metric.ERRORS)).containsOnlyNulls();
  }

  @Test
  void sample_latency_isOfTheRequestsSinceTheLastSample() {
    scopes.open("shop");
    var answers = new LatencyHistogram();
    recorder.add(new Source("shop", null, null, answers, null));
    answers.record(Duration.ofMillis(500).toNanos());
    recorder.sample();

    answers.record(Duration.ofMillis(1).toNanos());
    sampleAfter(1);
    sampleAfter(1);

    List<@Nullable Float> latency =
        recorder.after("shop", 0).values().getOrDefault(Metric.ANSWER_P99_MS, List.of());
    assertThat(latency.get(0)).isBetween(0.75f, 1.25f);
    assertThat(latency.get(1)).isNull();
  }

  @Test
  void after_allScopes_isTheSumOfThem() {
    HotKeyDetector one = scopes.open("one");
    HotKeyDetector two = scopes.open("two");
    recorder.sample();

    one.touch("a", 5);
    two.touch("b", 7);
    sampleAfter(1);

    assertThat(recorder.after("", 0).values().get(Metric.REQUESTS)).containsExactly(12f);
    assertThat(recorder.after("nowhere", 0).times()).isEmpty();
  }

  @Test
  void after_moreSamplesThanTheMaximum_hasTheNewest() {
    scopes.open("shop");
    recorder.sample();

    for (int i = 0; i < SeriesRecorder.SAMPLES + 5; i++) {
      sampleAfter(1);
    }

    assertThat(recorder.after("", 0).times())
        .hasSize(SeriesRecorder.SAMPLES)
        .endsWith(clock.millis())
        .isSorted();
    assertThat(recorder.after("", clock.millis() - 1500).times()).hasSize(2);
  }

  @Test
  void sample_moreScopesThanAllowed_keepsTheOthersInTheTotalOnly() {
    for (int i = 0; i < SeriesRecorder.MAX_SCOPES + 10; i++) {
      scopes.open("scope" + i);
    }
    recorder.sample();

    scopes.all().values().forEach(detector -> detector.touch("key"));
    sampleAfter(1);

    assertThat(recorder.scopes()).hasSize(SeriesRecorder.MAX_SCOPES);
    assertThat(recorder.after("", 0).values().get(Metric.REQUESTS))
        .containsExactly(SeriesRecorder.MAX_SCOPES + 10f);
  }

  @Test
  void changes_modeChangedBeforeTheFirstSample_isMarked() {
    Action action = savings.action("hot_reads", "shop", Mode.OBSERVE);
    recorder.recordModes();

    action.mode(Mode.ENFORCE);
    recorder.sample();

    assertThat(recorder.changes("shop")).extracting(ModeChange::to).containsExactly(Mode.ENFORCE);
  }

  @Test
  void changes_modeChanged_isMarkedOnceWithItsTime() {
    Action action = savings.action("hot_reads", "shop", Mode.OBSERVE);
    recorder.sample();

    action.mode(Mode.ENFORCE);
    sampleAfter(1);
    sampleAfter(1);

    assertThat(recorder.changes("shop"))
        .containsExactly(
            new ModeChange(1_001_000, "shop", "hot_reads", Mode.OBSERVE, Mode.ENFORCE));
    assertThat(recorder.changes("other")).isEmpty();
  }

  private void sampleAfter(int seconds) {
    ticker.advance(Duration.ofSeconds(seconds));
    recorder.sample();
  }
}
