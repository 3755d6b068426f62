package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.Verdict.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Compares touches of one key in random stripes, one call at a time, with the exact count. */
class StripedDecisionPropertyTest {
  private static final int STRIPES = 4;
  private static final int CROWD = 80;
  private static final double WINDOW = 10;

  private static final List<StripeWorkers> WORKERS = new ArrayList<>();

  /** The kinds of step. */
  enum StepKind {
    TOUCH,
    PASS,
    CROWD,
    RECONFIGURE
  }

  record Step(StepKind kind, int stripe, int amount) {}

  @BeforeContainer
  static void start() throws Exception {
    WORKERS.add(new StripeWorkers(STRIPES));
  }

  @AfterContainer
  static void stop() {
    WORKERS.forEach(StripeWorkers::close);
  }

  @Property(tries = 400)
  void touch_onlyKey_isHotExactlyFromTheThreshold(@ForAll("touches") List<Step> touches)
      throws Exception {
    var world = new DetectorFixture(DetectorFixture.settings().stripes(STRIPES));
    long count = 0;

    for (Step touch : touches) {
      count += touch.amount();
      Kind expected = count >= 100 ? Kind.HOT : Kind.COOL;
      assertThat(touch(world, touch, "a").kind())
          .as("at %s of %s", touch, touches)
          .isEqualTo(expected);
    }
  }

  @Property(tries = 400)
  void touch_anyOtherEvents_isNeverMissed(@ForAll("steps") List<Step> steps) throws Exception {
    var world = new DetectorFixture(DetectorFixture.settings().stripes(STRIPES));
    var times = new ArrayList<double[]>();
    double now = 0;
    long threshold = 10;

    for (Step step : steps) {
      switch (step.kind()) {
        case PASS -> {
          world.passSeconds(step.amount() / 10.0);
          now += step.amount() / 10.0;
        }
        case CROWD -> {
          // Cool keys with higher counts, which displace the key from the table for a time.
          for (int i = 0; i < CROWD; i++) {
            touch(world, new Step(StepKind.TOUCH, step.stripe(), 90), "crowd" + step.amount() + i);
          }
        }
        case RECONFIGURE -> {
          threshold = step.amount();
          world.detector.reconfigure(Duration.ofMillis((long) (WINDOW * 1000)), threshold);
        }
        default -> {
          times.add(new double[] {now, step.amount()});
          Verdict verdict = touch(world, step, "a");
          double from = now - WINDOW;
          double count = times.stream().filter(t -> t[0] > from).mapToDouble(t -> t[1]).sum();
          if (count >= threshold * WINDOW) {
            assertThat(verdict.kind()).as("at %s of %s", step, steps).isNotEqualTo(Kind.COOL);
          }
          if (verdict != Verdict.COOL) {
            assertThat((double) verdict.estimate()).isGreaterThanOrEqualTo(count);
          }
        }
      }
    }
  }

  @Provide
  Arbitrary<List<Step>> touches() {
    return touch().list().ofMinSize(1).ofMaxSize(60);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Integer> stripes = Arbitraries.integers().between(0, STRIPES - 1);
    Arbitrary<Step> pass =
        Arbitraries.integers().between(1, 130).map(tenths -> new Step(StepKind.PASS, 0, tenths));
    Arbitrary<Step> crowd = stripes.map(stripe -> new Step(StepKind.CROWD, stripe, stripe));
    Arbitrary<Step> reconfigure =
        Arbitraries.integers().between(2, 20).map(rate -> new Step(StepKind.RECONFIGURE, 0, rate));
    return Arbitraries.frequencyOf(
            Tuple.of(20, touch()), Tuple.of(3, pass), Tuple.of(1, crowd), Tuple.of(1, reconfigure))
        .list()
        .ofMinSize(1)
        .ofMaxSize(80);
  }

  private static Arbitrary<Step> touch() {
    Arbitrary<Integer> stripes = Arbitraries.integers().between(0, STRIPES - 1);
    Arbitrary<Integer> weights = Arbitraries.integers().between(1, 30);
    return stripes.flatMap(
        stripe -> weights.map(weight -> new Step(StepKind.TOUCH, stripe, weight)));
  }

  private static Verdict touch(DetectorFixture world, Step touch, String key) throws Exception {
    return WORKERS.get(0).touch(touch.stripe(), world.detector, key, touch.amount());
  }
}
