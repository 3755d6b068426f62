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

class WindowedStripePropertyTest {

  /** A touch of a key, {@code gap} epochs after the previous one. */
  record Step(int key, int weight, int gap) {}

  @Property(tries = 400)
  void add_crowdedSketch_neverEstimatesBelowTheCountOfTheSpan(
      @ForAll("steps") List<Step> steps,
      @ForAll @IntRange(min = 2, max = 5) int depth,
      @ForAll @IntRange(min = 1, max = 5) int panes) {
    var stripe = new WindowedStripe(64, depth, panes, 1);
    var model = new Model(panes);

    for (Step step : steps) {
      long epoch = model.move(step);
      long estimate = WindowedStripe.total(stripe.add(hash(step.key()), step.weight(), epoch));

      assertThat(estimate).isGreaterThanOrEqualTo(model.count(step.key()));
      int other = (step.key() * 7 + 3) % 300;
      assertThat(WindowedStripe.total(stripe.estimate(hash(other), epoch)))
          .isGreaterThanOrEqualTo(model.count(other));
    }
  }

  @Property(tries = 200)
  void add_uncrowdedSketch_estimatesTheCountOfTheSpanExactly(
      @ForAll("steps") List<Step> steps, @ForAll @IntRange(min = 1, max = 5) int panes) {
    var stripe = new WindowedStripe(1 << 16, 4, panes, 1);
    var model = new Model(panes);

    for (Step step : steps) {
      long epoch = model.move(step);
      long estimate = WindowedStripe.total(stripe.add(hash(step.key()), step.weight(), epoch));

      assertThat(estimate).isEqualTo(model.count(step.key()));
      assertThat(stripe.inWindow(epoch)).isEqualTo(model.total());
    }
  }

  @Property(tries = 200)
  void addExact_acrossGaps_countsTheSpanExactly(
      @ForAll("steps") List<Step> steps, @ForAll @IntRange(min = 1, max = 5) int panes) {
    var stripe = new WindowedStripe(64, 2, panes, 1);
    var model = new Model(panes);

    for (Step step : steps) {
      long epoch = model.move(step);
      long estimate = WindowedStripe.total(stripe.add(hash(step.key()), step.weight(), epoch));
      if (step.key() == 1) {
        stripe.addExact(0, step.weight(), estimate, 0);
      }

      assertThat(stripe.exact(0, epoch)).isEqualTo(model.count(1));
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Integer> key =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 5), Arbitraries.integers().between(0, 299));
    Arbitrary<Integer> gap = Arbitraries.of(0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 100);
    Arbitrary<Integer> weight = Arbitraries.of(1, 1, 1, 2, 50);
    return Combinators.combine(key, weight, gap).as(Step::new).list().ofMinSize(20).ofMaxSize(300);
  }

  private static long hash(int key) {
    long x = (key + 1) * 0x9e3779b97f4a7c15L;
    x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
    x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
    return x ^ x >>> 31;
  }

  /** All touches with their epochs; counts the current pane and the full panes before it. */
  private static final class Model {
    private final int panes;
    private final List<Step> touches = new ArrayList<>();
    private final List<Long> epochs = new ArrayList<>();
    private long epoch;

    Model(int panes) {
      this.panes = panes;
    }

    long move(Step step) {
      epoch += step.gap();
      touches.add(step);
      epochs.add(epoch);
      return epoch;
    }

    long count(int key) {
      return sum(key);
    }

    long total() {
      return sum(-1);
    }

    private long sum(int key) {
      long sum = 0;
      for (int i = 0; i < touches.size(); i++) {
        boolean counts = key < 0 || touches.get(i).key() == key;
        sum += counts && epochs.get(i) >= epoch - panes ? touches.get(i).weight() : 0;
      }
      return sum;
    }
  }
}
