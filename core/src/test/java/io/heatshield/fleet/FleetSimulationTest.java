package io.heatshield.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.Verdict;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares simulated fleets of 1 to 50 nodes, with a fake clock, with exact counts. */
class FleetSimulationTest {
  private static final int KEYS = 400;
  private static final Duration STEP = Duration.ofMillis(25);
  private static final int STEPS_PER_TICK = 10;

  private final FakeTicker ticker = new FakeTicker();
  private final MemoryExchange exchange = new MemoryExchange(ticker);
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<SimulatedNode> allNodes = new ArrayList<>();
  private final Map<SimulatedNode, Integer> phases = new HashMap<>();
  private final SplittableRandom random = new SplittableRandom(14);
  private int started;
  private int merges;
  private int checked;
  private int beyondError;
  private @Nullable FleetView last;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 20, 50})
  void merge_randomTraffic_isNeverBelowTheExactCounts(int count) {
    start(count);
    var zipf = new Zipf(KEYS, 1.0, 7);

    for (int step = 0; step < 600; step++) {
      for (SimulatedNode node : nodes) {
        for (int i = random.nextInt(6); i > 0; i--) {
          node.touch((int) zipf.next() - 1);
        }
      }
      step(step);
    }

    assertThat(merges).isGreaterThan(25);
    assertThat(checked).isGreaterThan(1000);
    assertThat(beyondError).isLessThan(checked / 50);
  }

  @Test
  void merge_rollingRestart_hasNoMissingNodesAndIsNeverBelow() {
    start(12);
    var zipf = new Zipf(KEYS, 1.0, 8);
    var states = new ArrayList<FleetMember.State>();

    for (int step = 0; step < 1200; step++) {
      for (SimulatedNode node : nodes) {
        node.touch((int) zipf.next() - 1);
      }
      if (step % 80 == 79) {
        SimulatedNode first = nodes.remove(0);
        first.fleet.leave();
        start(1);
      }
      step(step);
      if (last != null) {
        last.members().forEach(member -> states.add(member.state()));
      }
    }

    assertThat(states).containsOnly(FleetMember.State.LIVE);
    assertThat(checked).isGreaterThan(1000);
    assertThat(answer(nodes.get(0)).members()).hasSize(12);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 10, 50})
  void answer_keyBelowTheThresholdOnEachNode_isHotOnAllWithinTwoIntervals(int count) {
    start(count);
    int hot = KEYS - 1;
    long reached = 0;
    boolean everSaidHotAlone = false;
    int perNode = SimulatedNode.HOT_AT * 3 / 2 / count / (int) (8000 / STEP.toMillis()) + 1;

    int step = 0;
    for (; step < 2000; step++) {
      for (SimulatedNode node : nodes) {
        node.touch(random.nextInt(KEYS - 1));
        boolean due =
            node.truth(hot) < SimulatedNode.HOT_AT * 8 / 10
                && step > 100
                && step % (count > 10 ? 8 : 1) == 0;
        for (int i = 0; due && i < perNode; i++) {
          node.touch(hot);
        }
      }
      step(step);
      everSaidHotAlone |=
          step % 20 == 0 && nodes.stream().anyMatch(node -> !node.detector.hot().isEmpty());
      int truth = nodes.stream().mapToInt(node -> node.truth(hot)).sum();
      if (reached == 0 && truth >= SimulatedNode.HOT_AT) {
        reached = step;
      }
      if (reached != 0 && step - reached == 2 * 4 * STEPS_PER_TICK) {
        break;
      }
    }

    assertThat(reached).isPositive();
    assertThat(everSaidHotAlone).isFalse();
    for (SimulatedNode node : nodes) {
      FleetKey first = answer(node).scopes().get(0).keys().get(0);
      assertThat(first.key()).hasToString(SimulatedNode.key(hot));
      assertThat(first.kind()).isEqualTo(Verdict.Kind.HOT);
      assertThat(first.nodes()).isEqualTo(count);
      assertThat(first.shares()).hasSize(Math.min(count, FleetKey.MAX_SHARES));
    }
  }

  @Test
  void answer_nodeDies_isLateThenMissingAndOnlyItsCountsAreRemoved() {
    start(5);
    spread(0, 400);
    SimulatedNode dead = nodes.remove(3);

    spread(400, 500);
    FleetView late = answer(nodes.get(0));
    spread(500, 600);
    FleetView missing = answer(nodes.get(0));

    assertThat(state(late, dead)).isEqualTo(FleetMember.State.LATE);
    assertThat(late.scopes().get(0).nodes()).isEqualTo(5);
    assertThat(state(missing, dead)).isEqualTo(FleetMember.State.MISSING);
    assertThat(missing.scopes().get(0).nodes()).isEqualTo(4);
    assertThat(missing.members()).filteredOn(m -> m.state() == FleetMember.State.LIVE).hasSize(4);
  }

  @Test
  void answer_mergerDies_isReplacedWithinTwoIntervals() {
    start(5);
    spread(0, 400);
    String merger = answer(nodes.get(0)).merger();
    nodes.removeIf(node -> node.name.equals(merger));

    spread(400, 400 + 2 * 4 * STEPS_PER_TICK);

    for (SimulatedNode node : nodes) {
      assertThat(answer(node).merger()).isNotEqualTo(merger);
    }
  }

  /** Runs all steps, in each of which every node touches keys. */
  private void spread(int from, int to) {
    for (int step = from; step < to; step++) {
      nodes.forEach(node -> node.touch(random.nextInt(KEYS)));
      step(step);
    }
  }

  private void start(int count) {
    IntStream.range(0, count)
        .forEach(
            i -> {
              var node =
                  new SimulatedNode("node-" + started++, KEYS, ticker, exchange, this::check);
              nodes.add(node);
              allNodes.add(node);
              phases.put(node, random.nextInt(STEPS_PER_TICK));
            });
  }

  private void step(int step) {
    ticker.advance(STEP);
    for (SimulatedNode node : nodes) {
      if (step % STEPS_PER_TICK == phases.getOrDefault(node, 0)) {
        node.fleet.tick();
      }
    }
  }

  /** Compares a new view with the exact counts of the published windows. */
  private void check(FleetView view) {
    merges++;
    last = view;
    if (view.scopes().isEmpty()) {
      return;
    }
    List<SimulatedNode> counted =
        allNodes.stream()
            .filter(node -> exchange.holds(node.name))
            .filter(node -> state(view, node) != FleetMember.State.MISSING)
            .toList();
    FleetScope scope = view.scopes().get(0);
    for (FleetKey key : scope.keys()) {
      int number = Integer.parseInt(key.key().toString().substring(4));
      long truth = 0;
      long span = 0;
      for (SimulatedNode node : counted) {
        truth += node.published(number);
        span += node.publishedSpan(number);
      }
      assertThat(key.estimate()).isGreaterThanOrEqualTo(truth);
      assertThat(key.guaranteed()).isLessThanOrEqualTo(span);
      checked++;
      beyondError += key.estimate() - key.error() > span ? 1 : 0;
    }
  }

  private static FleetView answer(SimulatedNode node) {
    FleetAnswer answer = node.fleet.answer();
    FleetView view = answer.view();
    if (view == null) {
      throw new AssertionError(answer.localOnly());
    }
    return view;
  }

  private static FleetMember.State state(FleetView view, SimulatedNode node) {
    return view.members().stream()
        .filter(member -> member.node().equals(node.name))
        .findFirst()
        .orElseThrow()
        .state();
  }
}
