package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jol.info.GraphLayout;

class DetectorMemoryTest {
  static {
    // Lets jol read the fields of lambdas (listeners and tickers), which the JVM hides.
    System.setProperty("jol.magicFieldOffset", "true");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void bytes_defaults_isAtMost128KibForEachStripe(int stripes) {
    var detector = HotKeyDetector.builder().stripes(stripes).build();

    assertThat(detector.bytes()).isLessThanOrEqualTo(stripes * 128L * 1024);
  }

  @Test
  void bytes_fullDetector_isNotExceeded() {
    assertThat(measured(DetectorFixture.settings())).isTrue();
    assertThat(measured(DetectorFixture.settings().stripes(4).topK(50).width(200))).isTrue();
    assertThat(measured(DetectorFixture.settings().panes(7).depth(3).prefixes(3, ':'))).isTrue();
  }

  /** Fills a detector with hot keys, long keys and sampled keys, and compares. */
  private static boolean measured(HotKeyDetectorBuilder settings) {
    var world = new DetectorFixture(settings);
    for (int i = 0; i < 2_000; i++) {
      world.detector.touch("hot:" + i + ":" + "x".repeat(700), 100);
    }
    for (int i = 0; i < 300_000; i++) {
      world.detector.touch("junk" + i);
    }
    List<Object> shared = new ArrayList<>();
    shared.add(world.hash);
    shared.add(world.ticker);
    shared.add(world.events);
    shared.add(world.reports);

    long all = GraphLayout.parseInstance(world.detector).totalSize();
    long outside = GraphLayout.parseInstance(shared.toArray()).totalSize();

    assertThat(all - outside).isLessThanOrEqualTo(world.detector.bytes());
    assertThat(all - outside).isGreaterThan(world.detector.bytes() * 8 / 10);
    return world.detector.stats().hot() > 0;
  }
}
