package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.WhenFull;
import io.heatshield.settings.InvalidSettingsException;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class HotRingBuilderTest {

  @Test
  void build_allSettingsInvalid_reportsAllOfThem() {
    HotRingBuilder builder =
        HotRing.builder()
            .bits(0)
            .window(65, Duration.ofNanos(-1))
            .decay(Duration.ofNanos(1), 63)
            .rotation(Duration.ofDays(400))
            .maxKeys(-1)
            .maxBytes(-2)
            .sampleBits(32);

    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidSettingsException.class)
        .hasMessage(
            "bits must be 1 to 20: 0; slots must be 0 to 64: 65; "
                + "slot must be 0 or PT0.001S to PT8760H: PT-0.000000001S; "
                + "decayInterval must be 0 or PT0.001S to PT8760H: PT0.000000001S; "
                + "decayShift must be 0 to 62: 63; "
                + "rotation must be 0 or PT0.001S to PT8760H: PT9600H; "
                + "maxKeys must be 0 to 536870912: -1; sampleBits must be 0 to 31: 32; "
                + "maxBytes must not be negative: -2");
  }

  @Test
  void build_rotationShorterThanWindow_throws() {
    HotRingBuilder builder = HotRing.builder().rotation(Duration.ofMillis(1_999));

    assertThatThrownBy(builder::build)
        .hasMessage("rotation must be 0 or at least the window of PT2S: PT1.999S");
  }

  @Test
  void build_conflictingSettings_warnsWhichHasNoEffect() {
    var warnings = new ArrayList<String>();

    HotRing ring =
        HotRing.builder()
            .decay(Duration.ofSeconds(10), 1)
            .maxKeys(0)
            .sampleBits(3)
            .onWarning(warnings::add)
            .build();

    assertThat(warnings)
        .containsExactly(
            "decay is off because the window is on: PT10S by 1",
            "sampling is off because the memory has no limit: sampleBits 3");
    assertThat(ring.touch("k")).isEqualTo(1);
  }

  @Test
  void build_noSettings_usesTheDocumentedDefaults() {
    HotRing ring = HotRing.builder().build();

    assertThat(ring.table.config)
        .isEqualTo(
            new RingConfig(
                12,
                8,
                Duration.ofMillis(250).toNanos(),
                0,
                Duration.ofMinutes(30).toNanos(),
                250_000,
                0,
                0,
                ClampPolicy.ADMITS_N,
                WhenFull.ADMIT));
    assertThat(ring.stats().cells()).isEqualTo(4096);
  }

  @Test
  void window_ofADuration_isEightSlots() {
    var ticker = new FakeTicker();
    HotRing ring = HotRing.builder().window(Duration.ofSeconds(1)).ticker(ticker::nanos).build();
    ring.touch("k");

    ticker.advance(Duration.ofMillis(999));
    long inWindow = ring.count("k");
    ticker.advanceNanos(1_000_000);

    assertThat(inWindow).isEqualTo(1);
    assertThat(ring.count("k")).isZero();
    assertThat(ring.table.config.slots()).isEqualTo(8);
    assertThatThrownBy(() -> HotRing.builder().window(Duration.ofMillis(7)).build())
        .hasMessageContaining("slot must be 0 or PT0.001S");
  }

  @Test
  void build_settingsOfZero_disableWindowDecayAndRotation() {
    var ticker = new FakeTicker();
    HotRing ring =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(8, Duration.ZERO)
            .decay(Duration.ofSeconds(1), 0)
            .rotation(Duration.ZERO)
            .build();
    ring.touch("k");

    ticker.advance(Duration.ofDays(300));

    assertThat(ring.count("k")).isEqualTo(1);
    assertThat(ring.stats().rotations()).isZero();
  }
}
