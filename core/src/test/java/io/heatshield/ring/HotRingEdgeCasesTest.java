package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heatshield.action.Admission;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotRingEdgeCasesTest {
  private final FakeTicker ticker = new FakeTicker();

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void retryAfter_limitsNth_isExact(int limit) {
    HotRing ring =
        HotRing.builder()
            .window(8, Duration.ofMillis(100))
            .clampPolicy(ClampPolicy.LIMITS_NTH)
            .ticker(ticker::nanos)
            .build();
    Admission admission = ring.tryTouch("k", limit);
    while (admission.admitted()) {
      ticker.advance(Duration.ofMillis(100));
      admission = ring.tryTouch("k", limit);
    }

    ticker.advance(admission.retryAfter().minusNanos(1));
    long before = ring.count("k");
    assertThat(before).isGreaterThanOrEqualTo(limit - 1);
    ticker.advance(Duration.ofNanos(1));

    assertThat(ring.tryTouch("k", limit).admitted()).isTrue();
  }

  @Test
  void tryTouch_limitsNthWithALimitOfOne_neverHasRoom() {
    HotRing ring =
        HotRing.builder().clampPolicy(ClampPolicy.LIMITS_NTH).ticker(ticker::nanos).build();

    assertThat(ring.tryTouch("k", 1).admitted()).isFalse();
    assertThat(ring.tryTouch("k", 1).retryAfter()).isEqualTo(Admission.NEVER);
  }

  @Test
  void retryAfter_decayAndRotation_isTheEarlierOfBoth() {
    HotRing ring =
        HotRing.builder()
            .window(0, Duration.ZERO)
            .decay(Duration.ofSeconds(10), 1)
            .rotation(Duration.ofSeconds(30))
            .ticker(ticker::nanos)
            .build();
    for (int i = 0; i < 1_000; i++) {
      ring.touch("k");
    }
    ticker.advance(Duration.ofSeconds(30));
    for (int i = 0; i < 10; i++) {
      ring.touch("k");
    }

    Admission admission = ring.tryTouch("k", 10);
    assertThat(admission.admitted()).isFalse();
    long millis = 0;
    while (ring.count("k") >= 10) {
      ticker.advance(Duration.ofMillis(500));
      millis += 500;
    }

    assertThat(admission.retryAfter()).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void top_afterARotation_doesNotFillTheActiveGeneration() {
    HotRing ring = rotating().maxKeys(10).build();
    for (int i = 0; i < 10; i++) {
      ring.touch("old" + i);
    }
    ticker.advance(Duration.ofMinutes(1));
    ring.top(16);
    ring.count("old3");
    ring.stats();

    for (int i = 0; i < 10; i++) {
      assertThat(ring.touch("new" + i)).isEqualTo(1);
    }
    assertThat(ring.stats().drops()).isZero();
  }

  @Test
  void touch_warmKeyThatWasRead_countsTowardsTheActiveGenerationsCap() {
    HotRing ring = rotating().maxKeys(10).build();
    for (int i = 0; i < 10; i++) {
      ring.touch("old" + i);
    }
    ticker.advance(Duration.ofMinutes(1));
    ring.top(16);
    for (int i = 0; i < 10; i++) {
      ring.touch("old" + i);
    }

    assertThat(ring.touch("new")).isZero();
    assertThat(ring.stats().drops()).isEqualTo(1);
  }

  @Test
  void stats_warmKeyRead_expiresOneGenerationLater() {
    HotRing ring = rotating().build();
    ring.touch("k");
    ticker.advance(Duration.ofMinutes(1));
    assertThat(ring.stats().size()).isEqualTo(1);
    ticker.advance(Duration.ofMinutes(1));

    assertThat(ring.count("k")).isZero();
    assertThat(ring.stats().size()).isZero();
  }

  @Test
  void stats_warmKeyListed_expiresOneGenerationLater() {
    HotRing ring = rotating().build();
    ring.touch("k");
    ticker.advance(Duration.ofMinutes(1));
    ring.top(1);
    ticker.advance(Duration.ofMinutes(1));

    assertThat(ring.stats().size()).isZero();
  }

  @Test
  void touch_keyLargerThanTheByteCap_evictsNone() {
    HotRing ring = HotRing.builder().maxKeys(0).maxBytes(600).ticker(ticker::nanos).build();
    ring.touch("a");
    ring.touch("b");
    ring.touch("c");
    assertThat(ring.stats().size()).isEqualTo(3);

    String large = "x".repeat(512);
    for (int i = 0; i < 10; i++) {
      assertThat(ring.touch(large)).isZero();
    }

    assertThat(ring.stats().size()).isEqualTo(3);
  }

  @Test
  void build_shortRotationAndAnotherFault_reportsBoth() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HotRing.builder().bits(0).rotation(Duration.ofSeconds(1)).build())
        .withMessageContaining("bits")
        .withMessageContaining("rotation");
  }

  @Test
  void touch_moreThanTwoBillionRotations_stillFreeRoom() {
    HotRing ring =
        HotRing.builder()
            .window(0, Duration.ZERO)
            .rotation(Duration.ofMillis(1))
            .maxKeys(2)
            .ticker(ticker::nanos)
            .build();
    ticker.advance(Duration.ofMillis((1L << 31) - 1));
    for (int rotation = 0; rotation < 5; rotation++) {
      assertThat(ring.touch("a" + rotation)).isEqualTo(1);
      assertThat(ring.touch("b" + rotation)).isEqualTo(1);
      ticker.advance(Duration.ofMillis(1));
    }

    assertThat(ring.stats().rotations()).isEqualTo((1L << 31) + 4);
  }

  @Test
  void remove_expiredKeyAfterAnyNumberOfAdvances_releasesItsRoom() {
    HotRing ring =
        HotRing.builder().window(2, Duration.ofMillis(10)).maxKeys(2).ticker(ticker::nanos).build();

    for (int advances = 0; advances < 300; advances++) {
      ring.touch("k");
      for (int slot = 0; slot < advances; slot++) {
        ticker.advance(Duration.ofMillis(10));
        ring.count("k");
      }
      ring.remove("k");

      assertThat(ring.bytes()).as("after %d advances", advances).isZero();
    }
  }

  private HotRingBuilder rotating() {
    return HotRing.builder()
        .window(0, Duration.ZERO)
        .rotation(Duration.ofMinutes(1))
        .ticker(ticker::nanos);
  }
}
