package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heatshield.settings.InvalidSettingsException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DetectorSettingsTest {

  @Test
  void toSettings_defaults_areTheDocumentedValues() {
    DetectorSettings settings = HotKeyDetector.builder().toSettings();

    assertThat(settings.window()).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.panes()).isEqualTo(4);
    assertThat(settings.threshold()).isEqualTo(100);
    assertThat(settings.exit()).isEqualTo(0.8);
    assertThat(settings.early()).isFalse();
    assertThat(settings.width()).isEqualTo(1024);
    assertThat(settings.depth()).isEqualTo(4);
    assertThat(settings.topK()).isEqualTo(10);
    assertThat(settings.prefixLevels()).isZero();
    assertThat(settings.hotAt()).isEqualTo(6_000);
  }

  @Test
  void build_minimumValues_isAccepted() {
    HotKeyDetector least =
        HotKeyDetector.builder()
            .window(Duration.ofSeconds(1))
            .panes(1)
            .threshold(1)
            .width(64)
            .depth(2)
            .topK(1)
            .stripes(1)
            .build();

    assertThat(least.settings().hotAt()).isEqualTo(1);
    assertThat(least.touch("a").isHot()).isTrue();
  }

  @Test
  void build_manyFaults_reportsEach() {
    HotKeyDetectorBuilder builder =
        HotKeyDetector.builder()
            .window(Duration.ofMillis(999))
            .panes(0)
            .threshold(0)
            .exit(1.1)
            .width(63)
            .depth(1)
            .topK(0)
            .stripes(3)
            .prefixes(-1, 'é');

    var refusal = catchThrowableOfType(InvalidSettingsException.class, builder::build);

    assertThat(refusal.faults())
        .containsExactly(
            "window must be PT1S to PT8784H: PT0.999S",
            "panes must be 1 to 64: 0",
            "threshold must be at least 1: 0",
            "exit must be above 0 and at most 1: 1.1",
            "width must be 64 to 16777216: 63",
            "depth must be 2 to 16: 1",
            "topK must be 1 to 256: 0",
            "stripes must be a power of two from 1 to 64: 3",
            "prefixLevels must be 0 to 8: -1",
            "prefixSeparator must be 0 to 127: 233");
    assertThat(refusal).hasMessageContaining("panes must be").hasMessageContaining("depth must be");
  }

  @Test
  void build_thresholdAboveTheCounters_throws() {
    HotKeyDetectorBuilder builder =
        HotKeyDetector.builder().window(Duration.ofHours(1)).threshold(1_000_000);

    var refusal = catchThrowableOfType(InvalidSettingsException.class, builder::build);

    assertThat(refusal.faults())
        .containsExactly("threshold x window must be at most 2147483647 touches: 3.6E9");
  }

  @Test
  void build_moreCountersThanAnArray_throwsWithTheBytes() {
    HotKeyDetectorBuilder builder = HotKeyDetector.builder().width(1 << 24).depth(16).panes(64);

    var refusal = catchThrowableOfType(InvalidSettingsException.class, builder::build);

    assertThat(refusal.faults())
        .singleElement()
        .asString()
        .startsWith("width x depth x panes must be below 2^31, not this many bytes: 70");
  }

  @Test
  void settings_anySettings_buildsEqualSettings() {
    DetectorSettings settings =
        HotKeyDetector.builder()
            .window(Duration.ofSeconds(7))
            .panes(3)
            .threshold(5)
            .exit(0.5)
            .early(true)
            .width(65)
            .depth(3)
            .topK(2)
            .stripes(2)
            .prefixes(2, '/')
            .toSettings();

    HotKeyDetectorBuilder builder = HotKeyDetector.builder().settings(settings);

    assertThat(builder.toSettings()).isEqualTo(settings);
    assertThat(builder.build().settings()).isEqualTo(settings);
  }
}
