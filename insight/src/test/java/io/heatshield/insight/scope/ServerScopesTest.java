package io.heatshield.insight.scope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heatshield.config.settings.DetectSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.SeaHash;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerScopesTest {
  private static final byte[] KEY = "users:123".getBytes(UTF_8);

  private final FakeTicker ticker = new FakeTicker();
  private final Metrics metrics = new Metrics();
  private final ServerScopes scopes = scopes(settings(10, 5));
  private final List<HotEvent> events = new ArrayList<>();

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void touch_keyReachesTheThreshold_isCountedByItsHashAndPublished() {
    HotKeyDetector detector = scopes.open("demo");
    scopes.addListener(events::add);

    for (int i = 0; i < 100; i++) {
      detector.touch(KEY);
    }

    assertThat(events).hasSize(1);
    assertThat(events.get(0).hot()).isTrue();
    assertThat(events.get(0).scope()).isEqualTo("demo");
    assertThat(metrics.scrape())
        .contains(
            "heatshield_hot_key_detected_total{key_hash=\""
                + SeaHash.label(KEY)
                + "\",scope=\"demo\"} 1.0")
        .contains("heatshield_hot_keys{scope=\"demo\"} 1.0")
        .contains("heatshield_touches_total{scope=\"demo\"} 100.0")
        .contains("heatshield_estimate_error_bound{scope=\"demo\"}")
        .contains("heatshield_estimate_error_observed{scope=\"demo\"}")
        .contains("heatshield_detection_floor{scope=\"demo\"}");
  }

  @Test
  void touch_listenerThrows_othersAreCalled() {
    HotKeyDetector detector = scopes.open("demo");
    scopes.addListener(
        event -> {
          throw new IllegalStateException("fails on purpose");
        });
    scopes.addListener(events::add);

    for (int i = 0; i < 100; i++) {
      detector.touch(KEY);
    }

    assertThat(events).hasSize(1);
  }

  @Test
  void maintain_keyWithoutRequests_coolsAndIsPublished() {
    HotKeyDetector detector = scopes.open("demo");
    scopes.addListener(events::add);
    for (int i = 0; i < 100; i++) {
      detector.touch(KEY);
    }

    ticker.advance(Duration.ofSeconds(30));
    scopes.maintain();

    assertThat(events).extracting(HotEvent::hot).containsExactly(true, false);
    assertThat(metrics.scrape()).contains("heatshield_hot_keys{scope=\"demo\"} 0.0");
  }

  @Test
  void touch_keyWithTheLabelOfAnother_doesNotThrottleItsLine() {
    HotKeyDetector detector = scopes.open("demo");
    byte[] key = "users:000000:123".getBytes(UTF_8);
    byte[] made = ByteBuffer.allocate(16).put("attacker".getBytes(UTF_8)).array();
    ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN).putLong(8, 0x553ac5fd50499760L);
    assertThat(SeaHash.label(made)).isEqualTo(SeaHash.label(key));

    detector.touch(made, 100);
    detector.touch(key, 100);

    assertThat(metrics.scrape()).contains("heatshield_hot_key_log_held_back_total 0.0");
  }

  @Test
  void retune_lowerThreshold_appliesFromTheNextTouchInEveryScope() {
    HotKeyDetector one = scopes.open("one");
    HotKeyDetector two = scopes.open("two");
    for (int i = 0; i < 20; i++) {
      assertThat(one.touch(KEY).isHot()).isFalse();
      assertThat(two.touch(KEY).isHot()).isFalse();
    }

    scopes.reconfigure(settings(2, 5));

    assertThat(one.touch(KEY).isHot()).isTrue();
    assertThat(two.touch(KEY).isHot()).isTrue();
  }

  @Test
  void touch_twoScopes_neverShareACount() {
    HotKeyDetector one = scopes.open("one");
    HotKeyDetector two = scopes.open("two");

    for (int i = 0; i < 99; i++) {
      one.touch(KEY);
    }

    assertThat(two.estimate(KEY).touches()).isZero();
    assertThat(one.estimate(KEY).touches()).isEqualTo(99);
  }

  @Test
  void open_overTheMaximum_isRejectedAndKnownScopesStay() {
    for (int i = 0; i < 5; i++) {
      scopes.open("scope" + i);
    }

    assertThatIllegalStateException()
        .isThrownBy(() -> scopes.open("one more"))
        .withMessageContaining("detect.max_scopes: 5");
    assertThat(scopes.open("scope0")).isSameAs(scopes.open("scope0"));
  }

  private ServerScopes scopes(DetectSettings settings) {
    return new ServerScopes(
        settings, HashSecret.random(), ticker::nanos, Clock.systemUTC(), metrics);
  }

  private static DetectSettings settings(long threshold, int maxScopes) {
    return new DetectSettings(
        Duration.ofSeconds(10), 4, threshold, 0.8, false, 1024, 4, 10, false, maxScopes);
  }
}
