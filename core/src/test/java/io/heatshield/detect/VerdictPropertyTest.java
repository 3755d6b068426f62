package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.Test;

/** Compares the estimates of verdicts with exact counts. */
class VerdictPropertyTest {
  private static final int STRIPES = 4;
  private static final int WINDOW_TENTHS = 100;
  private static final List<StripeWorkers> WORKERS = new ArrayList<>();

  /** Touches of weight 1 in a stripe, after a time. */
  record Burst(int stripe, int times, int gapTenths) {}

  /** A touch at a time, in tenths of a second. */
  record Touch(long tenths, long weight) {}

  @BeforeContainer
  static void start() throws Exception {
    WORKERS.add(new StripeWorkers(STRIPES));
  }

  @AfterContainer
  static void stop() {
    WORKERS.forEach(StripeWorkers::close);
  }

  @Property(tries = 150)
  void touch_anyStripesAndTimes_isNeverEstimatedBelowTheCount(
      @ForAll("bursts") List<Burst> bursts, @ForAll @IntRange(min = 60, max = 2_000) int first)
      throws Exception {
    var world = new DetectorFixture(DetectorFixture.settings().stripes(STRIPES));
    var touches = new ArrayList<Touch>();
    long tenths = 0;
    touches.add(new Touch(0, first));
    touch(world, 0, first);

    for (Burst burst : bursts) {
      world.passSeconds(burst.gapTenths() / 10.0);
      tenths += burst.gapTenths();
      long from = tenths - WINDOW_TENTHS;
      long span = from - WINDOW_TENTHS / world.detector.settings().panes() - 1;
      for (int i = 0; i < burst.times(); i++) {
        touches.add(new Touch(tenths, 1));
        Verdict verdict = touch(world, burst.stripe(), 1);

        if (verdict.isHot()) {
          long inSpan = sum(touches, span);
          assertThat(verdict.estimate()).isGreaterThanOrEqualTo(sum(touches, from));
          assertThat(verdict.estimate() - verdict.error()).isLessThanOrEqualTo(inSpan);
          assertThat(verdict.guaranteed()).isLessThanOrEqualTo(inSpan);
        }
      }
    }
  }

  @Test
  void touch_hotKeyUpToTheNextRenewal_isNeverEstimatedBelowTheCount() {
    var world = new DetectorFixture();
    Verdict verdict = world.touch("a", 1_000);

    for (long count = 1_001; count < 3_000; count++) {
      Verdict last = verdict;
      verdict = world.detector.touch("a");

      assertThat(verdict.estimate()).isGreaterThanOrEqualTo(count);
      assertThat(verdict.estimate() - verdict.error()).isLessThanOrEqualTo(count);
      assertThat(verdict.rate()).isEqualTo(verdict.estimate() / 10.0);
      assertThat(verdict == last || last.estimate() < count).isTrue();
    }
  }

  @Provide
  Arbitrary<List<Burst>> bursts() {
    Arbitrary<Integer> stripe = Arbitraries.integers().between(0, STRIPES - 1);
    Arbitrary<Integer> times = Arbitraries.integers().between(1, 40);
    Arbitrary<Integer> gap = Arbitraries.of(0, 0, 0, 1, 10, 24, 25, 26, 100);
    return Combinators.combine(stripe, times, gap).as(Burst::new).list().ofMinSize(1).ofMaxSize(12);
  }

  private static Verdict touch(DetectorFixture world, int stripe, long weight) throws Exception {
    return WORKERS.get(0).touch(stripe, world.detector, "a", weight);
  }

  /** Returns the weight of the touches after a time. */
  private static long sum(List<Touch> touches, long after) {
    return touches.stream().filter(t -> t.tenths() > after).mapToLong(Touch::weight).sum();
  }
}
