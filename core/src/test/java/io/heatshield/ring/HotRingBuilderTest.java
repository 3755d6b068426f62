package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HotRingBuilderTest {

  @Test
  void build_allSettingsInvalid_reportsAllOfThem() {
    HotRingBuilder builder =
        HotRing.builder()
            .bits(0)
            .top(0)
            .window(65, Duration.ofNanos(-1))
            .decay(Duration.ofNanos(1), 63)
            .rotation(Duration.ofDays(400))
            .cap(-1)
            .capBytes(-2)
            .sampleBits(32);

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "bits must be 1 to 20: 0; top must be 1 to 65536: 0; slots must be 0 to 64: 65; "
                + "slot must be 0 or PT0.001S to PT8760H: PT-0.000000001S; "
                + "decayInterval must be 0 or PT0.001S to PT8760H: PT0.000000001S; "
                + "decayShift must be 0 to 62: 63; "
                + "rotation must be 0 or PT0.001S to PT8760H: PT9600H; "
                + "cap must be 0 to 536870912: -1; sampleBits must be 0 to 31: 32; "
                + "capBytes must not be negative: -2");
  }

  @Test
  void build_rotationShorterThanWindow_throws() {
    HotRingBuilder builder = HotRing.builder().rotation(Duration.ofMillis(1_999));

    assertThatThrownBy(builder::build)
        .hasMessage("rotation must be 0 or at least the window of PT2S: PT1.999S");
  }

  @Test
  void remarks_conflictingSettings_sayWhichHasNoEffect() {
    HotRingBuilder builder =
        HotRing.builder().decay(Duration.ofSeconds(10), 1).cap(0).sampleBits(3);

    assertThat(builder.remarks())
        .containsExactly(
            "decay is off because the window is on: PT10S by 1",
            "sampling is off because there is no cap: sampleBits 3");
    assertThat(HotRing.builder().remarks()).isEmpty();
    assertThat(builder.build().touch("k")).isEqualTo(1);
  }

  @Test
  void build_noSettings_usesTheDocumentedDefaults() {
    HotRing ring = HotRing.builder().build();

    assertThat(ring.table.config)
        .isEqualTo(
            new RingConfig(
                12,
                16,
                8,
                Duration.ofMillis(250).toNanos(),
                0,
                Duration.ofMinutes(30).toNanos(),
                250_000,
                0,
                0,
                ClampPolicy.ADMITS_N));
    assertThat(ring.stats().buckets()).isEqualTo(4096);
  }

  @Test
  void valueLogRouting_noSettings_hasItsOwnWindowRotationAndCap() {
    var ticker = new FakeTicker();
    HotRing ring = HotRing.valueLogRouting().ticker(ticker::nanos).build();
    ring.touch("k");

    ticker.advance(Duration.ofMillis(599));
    long inWindow = ring.count("k");
    ticker.advance(Duration.ofMillis(1));

    assertThat(inWindow).isEqualTo(1);
    assertThat(ring.count("k")).isZero();
    assertThat(ring.table.config.cap()).isEqualTo(200_000);
    assertThat(ring.table.config.rotationNanos()).isEqualTo(Duration.ofMinutes(10).toNanos());
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
