package io.heatshield.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTest {
  private static final List<Scene> ALL = List.of(Scene.values());

  @Test
  void of_timeForAll_isShared() {
    Demo demo = Demo.of(ALL, 60);

    assertThat(demo.scenes()).isEqualTo(ALL);
    assertThat(demo.length()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void of_timeForTwo_skipsTheOthers() {
    Demo demo = Demo.of(ALL, 20);

    assertThat(demo.scenes()).containsExactly(Scene.HOT_KEY, Scene.SCANNER);
    assertThat(demo.length()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void of_oneSecond_isOneShortScene() {
    Demo demo = Demo.of(ALL, 1);

    assertThat(demo.scenes()).containsExactly(Scene.HOT_KEY);
    assertThat(demo.length()).isEqualTo(Duration.ofSeconds(1));
  }
}
