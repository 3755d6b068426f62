package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.Verdict.Kind;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Touches by threads that use different stripes, one call at a time. */
class StripedDecisionTest {
  private static final int STRIPES = 4;

  private final StripeWorkers workers = new StripeWorkers(STRIPES);
  private final DetectorFixture world =
      new DetectorFixture(DetectorFixture.settings().stripes(STRIPES));

  StripedDecisionTest() throws Exception {}

  @AfterEach
  void stop() {
    workers.close();
  }

  @Test
  void touch_stripeBelowItsShare_isHotIfAnotherStripeHasTheRest() throws Exception {

    assertThat(touch(0, 99)).isSameAs(Verdict.COOL);

    assertThat(touch(1, 1).kind()).isEqualTo(Kind.HOT);
  }

  @Test
  void touch_keyThatAnotherStripeCooled_isHotByTheSum() throws Exception {
    touch(0, 100);
    for (int pane = 1; pane <= 14; pane++) {
      world.passSeconds(2.5);
      assertThat(touch(0, pane < 14 ? 20 : 17).kind()).isEqualTo(Kind.HOT);
    }
    world.passSeconds(2.5);
    assertThat(touch(1, 1)).isSameAs(Verdict.COOL);
    assertThat(world.events).containsExactly("hot a", "cool a");

    assertThat(touch(1, 21)).isSameAs(Verdict.COOL);
    assertThat(touch(1, 1).kind()).isEqualTo(Kind.HOT);
  }

  @Test
  void touch_everyThreadInTurn_isHotExactlyAtTheThreshold() throws Exception {
    int touches = 0;
    Verdict verdict = Verdict.COOL;

    while (verdict == Verdict.COOL) {
      verdict = touch(touches++ % STRIPES, 1);
    }

    assertThat(touches).isEqualTo(100);
    assertThat(world.detector.top(1).get(0).estimate()).isEqualTo(100);
    assertThat(world.detector.top(1).get(0).guaranteed()).isEqualTo(99);
    assertThat(world.detector.stats().touches()).isEqualTo(100);
  }

  @Test
  void touch_afterALowerThreshold_isHotByTheSum() throws Exception {
    world.detector.reconfigure(Duration.ofSeconds(10), 100);
    touch(0, 99);

    world.detector.reconfigure(Duration.ofSeconds(10), 10);

    assertThat(touch(1, 1).kind()).isEqualTo(Kind.HOT);
  }

  private Verdict touch(int stripe, long weight) throws Exception {
    return workers.touch(stripe, world.detector, "a", weight);
  }
}
