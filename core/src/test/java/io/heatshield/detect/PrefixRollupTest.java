package io.heatshield.detect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrefixRollupTest {
  private final DetectorFixture world =
      new DetectorFixture(DetectorFixture.settings().prefixes(3, ':'));

  @Test
  void hotPrefixes_whenNoSingleKeyIsHot_findsThePrefix() {
    for (int i = 0; i < 120; i++) {
      world.touch("cart:" + i, 1);
      world.touch("user:" + i % 10 + ":" + i, i % 3 == 0 ? 1 : 0);
    }

    assertThat(world.detector.hot()).isEmpty();
    assertThat(world.detector.hotPrefixes())
        .singleElement()
        .satisfies(
            prefix -> {
              assertThat(prefix.prefix()).hasToString("cart:");
              assertThat(prefix.unexplained()).isEqualTo(120);
              assertThat(prefix.rate()).isEqualTo(12.0);
            });
  }

  @Test
  void hotPrefixes_whenAHotKeyExplainsThePrefix_findsNone() {
    world.touch("cart:1", 150);
    world.touch("cart:2", 20);

    assertThat(world.detector.hot()).hasSize(1);
    assertThat(world.detector.hotPrefixes()).isEmpty();
  }

  @Test
  void hotPrefixes_whenALongerPrefixExplainsTheShorter_findsTheLonger() {
    for (int i = 0; i < 130; i++) {
      world.touch("shop:cart:" + i, 1);
      world.touch("shop:list" + i, i % 4 == 0 ? 1 : 0);
    }

    assertThat(world.detector.hotPrefixes())
        .extracting(prefix -> prefix.prefix().toString())
        .containsExactly("shop:cart:");
  }

  @Test
  void hotPrefixes_keysInEveryForm_countsAll() {
    for (int i = 0; i < 40; i++) {
      world.detector.touch("a:" + i);
      world.detector.touch(("a:x" + i).getBytes(UTF_8));
      world.detector.touch(ByteBuffer.wrap(("a:y" + i).getBytes(UTF_8)));
    }

    assertThat(world.detector.hotPrefixes())
        .singleElement()
        .extracting(HotPrefix::estimate)
        .isEqualTo(120L);
  }

  @Test
  void hotPrefixes_beyondTheLevels_areNotCounted() {
    var flat = new DetectorFixture(DetectorFixture.settings().prefixes(1, ':'));
    for (int i = 0; i < 120; i++) {
      flat.touch(i % 60 + ":b:" + i, 1);
      flat.touch("c:d:" + i, 1);
    }

    assertThat(flat.detector.hotPrefixes())
        .extracting(prefix -> prefix.prefix().toString())
        .containsExactly("c:");
  }

  @Test
  void hotPrefixes_afterLongCoolPrefixes_areFound() {
    for (int i = 0; i < 40; i++) {
      world.touch("catalogue-" + i + "-".repeat(100) + ":x", 1);
    }

    for (int i = 0; i < 120; i++) {
      world.touch("cart:" + i, 1);
    }

    assertThat(world.detector.hotPrefixes())
        .extracting(prefix -> prefix.prefix().toString())
        .containsExactly("cart:");
  }

  @Test
  void hotPrefixes_longerThanTheStoredBytes_areListedTruncated() {
    for (int i = 0; i < 120; i++) {
      world.touch("c".repeat(600) + ":" + i, 1);
    }

    assertThat(world.detector.hotPrefixes())
        .singleElement()
        .satisfies(
            prefix -> {
              assertThat(prefix.prefix().toString()).startsWith("ccc").contains("601 bytes");
              assertThat(prefix.unexplained()).isEqualTo(120);
            });
  }

  @Test
  void hotPrefixes_windowOfFractionalSeconds_haveARatePerSecond() {
    var odd =
        new DetectorFixture(
            DetectorFixture.settings()
                .window(Duration.ofMillis(1250))
                .threshold(1)
                .prefixes(3, ':'));
    for (int i = 0; i < 5; i++) {
      odd.touch("cart:" + i, 1);
    }

    assertThat(odd.detector.hotPrefixes()).extracting(HotPrefix::rate).containsExactly(4.0);
  }

  @Test
  void hotPrefixes_rollupOff_isEmpty() {
    var off = new DetectorFixture();

    off.touch("a:b", 1_000);

    assertThat(off.detector.hotPrefixes()).isEmpty();
  }
}
