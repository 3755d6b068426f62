package io.heatshield.fleet;

import static io.heatshield.fleet.FleetMember.State.LIVE;
import static io.heatshield.fleet.FleetMember.State.MISSING;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FleetNodeTest {
  private static final Duration TICK = SimulatedNode.INTERVAL.dividedBy(FleetNode.TICKS);

  private final FakeTicker ticker = new FakeTicker();
  private final MemoryExchange exchange = new MemoryExchange(ticker);
  private final List<SimulatedNode> nodes = new ArrayList<>();

  @Test
  void answer_beforeTheFirstTick_isLocalOnly() {
    SimulatedNode node = start("a");

    FleetAnswer answer = node.fleet.answer();

    assertThat(answer.view()).isNull();
    assertThat(answer.localOnly()).isEqualTo("the fleet has not been contacted yet");
  }

  @Test
  void answer_exchangeUnavailable_isLocalOnlyUntilItReturns() {
    SimulatedNode merger = start("a");
    SimulatedNode other = start("b");
    run(8);

    exchange.lost = true;
    run(10);
    FleetAnswer lost = merger.fleet.answer();
    FleetAnswer lostToo = other.fleet.answer();
    exchange.lost = false;
    run(8);

    assertThat(lost.view()).isNull();
    assertThat(lost.localOnly()).isEqualTo("the exchange does not answer");
    assertThat(lostToo.localOnly()).isEqualTo("the exchange does not answer");
    assertThat(view(merger).members()).hasSize(2);
    assertThat(view(other).members()).hasSize(2);
  }

  @Test
  void answer_exchangeLostItsData_continuesWithTheSameSecret() {
    SimulatedNode node = start("a");
    start("b");
    run(8);
    exchange.forget(List.of("a", "b"));
    exchange.put("secret", new byte[0], Duration.ZERO);

    run(8);

    assertThat(view(node).members()).hasSize(2);
    assertThat(exchange.secret(new byte[1])).isEqualTo(SimulatedNode.SECRET.toBytes());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "2, 0", "3, 0", "0, 1", "1, 1", "2, 1", "3, 1", "1, 2", "3, 2"})
  void answer_exchangeLostItsData_isMarkedAsRebuildingWhileAHotKeyIsCool(int ticks, int first) {
    start("a");
    start("b");
    start("c");
    for (int i = 0; i < SimulatedNode.HOT_AT / 2; i++) {
      nodes.forEach(node -> node.touch(3));
    }
    run(9 + ticks);
    assertThat(view(nodes.get(0)).scopes().get(0).hot()).isEqualTo(1);

    exchange.flush();
    Collections.rotate(nodes, -first);
    for (int i = 0; i < 12; i++) {
      ticker.advance(TICK);
      for (SimulatedNode node : nodes) {
        node.fleet.tick();
        FleetView view = view(node);
        assertThat(view.isRebuilding() || view.scopes().get(0).hot() == 1).isTrue();
      }
    }

    FleetView after = view(nodes.get(0));
    assertThat(after.isRebuilding()).isFalse();
    assertThat(after.members()).extracting(FleetMember::state).containsOnly(LIVE).hasSize(3);
    assertThat(after.scopes().get(0).keys().get(0).hotMillis()).isGreaterThan(3000);
  }

  @Test
  void answer_mergerLostSnapshots_reportsTheNodesAsLostUntilTheyPublish() {
    start("a");
    SimulatedNode next = start("b");
    run(9);

    exchange.flush();
    ticker.advance(TICK);
    next.fleet.tick();
    FleetView rebuilt = view(next);
    run(4);

    assertThat(rebuilt.merger()).isEqualTo("b");
    assertThat(rebuilt.isRebuilding()).isTrue();
    assertThat(rebuilt.members())
        .extracting(FleetMember::state)
        .containsExactly(FleetMember.State.LOST, LIVE);
    assertThat(rebuilt.members().get(0).why()).contains("Redis lost its data");
    assertThat(view(next).isRebuilding()).isFalse();
  }

  @Test
  void answer_deadNodeWhenTheExchangeLostItsData_isRemovedLater() {
    SimulatedNode node = start("a");
    SimulatedNode dead = start("b");
    run(9);
    nodes.remove(dead);

    exchange.flush();
    run(20);

    assertThat(view(node).members()).hasSize(1);
    assertThat(view(node).isRebuilding()).isFalse();
  }

  @Test
  void answer_newSecretOnTheExchange_isRejectedWithTheReason() {
    SimulatedNode node = start("a");
    run(8);
    byte[] next = HashSecret.random().toBytes();

    exchange.replaceSecret(next);
    run(4);

    assertThat(node.fleet.answer().view()).isNull();
    assertThat(node.fleet.answer().localOnly()).contains("another secret");
    assertThat(node.otherSecrets).containsExactly(next);
  }

  @Test
  void answer_nodeOfAnotherSecret_isRejectedAndNotAdded() {
    SimulatedNode node = start("a");
    run(4);
    var settings = SimulatedNode.settings().toSettings();
    var foreign =
        new SimulatedNode("b", 9, ticker, exchange, view -> {}, HashSecret.random(), settings);
    nodes.add(foreign);
    foreign.touch(1);

    run(8);

    assertThat(member(node, "b").state()).isEqualTo(FleetMember.State.REFUSED);
    assertThat(member(node, "b").why()).contains("another secret");
    assertThat(view(node).scopes().get(0).touches()).isZero();
    assertThat(foreign.fleet.answer().localOnly()).contains("another secret");
  }

  @Test
  void answer_nodeOfAnotherVersion_isRejectedAndNotAdded() {
    SimulatedNode node = start("a");
    run(4);
    byte[] newer = {'H', 'S', 'F', 'L', 2, 0, 0};

    exchange.publish("b", 1, newer, Duration.ofMinutes(1));
    run(8);

    assertThat(member(node, "b").state()).isEqualTo(FleetMember.State.REFUSED);
    assertThat(member(node, "b").why()).contains("version 2");
    assertThat(view(node).scopes().get(0).nodes()).isEqualTo(1);
  }

  @Test
  void answer_viewOfAnotherVersion_isLocalOnlyWithTheReason() {
    SimulatedNode node = start("a");
    exchange.turn("newer", Duration.ofMinutes(1));

    exchange.show(new byte[] {'H', 'S', 'F', 'L', 2, 0, 0}, Duration.ofMinutes(1));
    run(2);

    assertThat(node.fleet.answer().localOnly()).contains("version 2");
  }

  @Test
  void answer_sketchOfAnotherSizeOrWindow_isRejectedAndNotAdded() {
    SimulatedNode node = start("a");
    run(4);
    var wide = SimulatedNode.settings().width(2048).toSettings();
    var slow = SimulatedNode.settings().window(Duration.ofSeconds(9)).toSettings();
    HashSecret secret = SimulatedNode.SECRET;
    nodes.add(new SimulatedNode("b", 9, ticker, exchange, view -> {}, secret, wide));
    nodes.add(new SimulatedNode("c", 9, ticker, exchange, view -> {}, secret, slow));
    nodes.forEach(each -> each.touch(1));

    run(8);

    assertThat(member(node, "b").why()).contains("2048 x 4").contains("1024 x 4");
    assertThat(member(node, "c").why()).contains("9000 ms").contains("8000");
    assertThat(view(node).scopes().get(0).touches()).isEqualTo(1);
  }

  @Test
  void answer_fullFleet_isLocalOnlyWithTheReason() {
    exchange.most = 1;
    SimulatedNode first = start("a");
    SimulatedNode second = start("b");

    run(8);

    assertThat(view(first).members()).hasSize(1);
    assertThat(second.fleet.answer().localOnly()).contains("maximum number of nodes");
  }

  @Test
  void answer_savingsOfAllNodes_areAdded() {
    SimulatedNode first = start("a");
    start("b");

    run(8);

    assertThat(view(first).savings()).containsExactly(new Saved("hot_reads", 2, 4, 6, 8));
  }

  @Test
  void answer_nodeMissingForAMinute_isRemoved() {
    SimulatedNode first = start("a");
    SimulatedNode second = start("b");
    run(8);
    nodes.remove(second);

    run(4 * 30);
    int after30 = view(first).members().size();
    run(4 * 40);

    assertThat(after30).isEqualTo(2);
    assertThat(view(first).members()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void answer_fleetWasPaused_hasNoMissingNodesAndKeepsTheCounts(int ticks) {
    SimulatedNode first = start("a");
    SimulatedNode second = start("b");
    nodes.forEach(node -> node.touch(3));
    run(8 + ticks);

    ticker.advance(Duration.ofSeconds(5));
    first.fleet.tick();
    FleetView asFirst = view(first);
    run(4);
    FleetView after = view(second);

    assertThat(asFirst.members()).extracting(FleetMember::state).doesNotContain(MISSING);
    assertThat(asFirst.scopes().get(0).nodes()).isEqualTo(2);
    assertThat(after.members()).extracting(FleetMember::state).containsOnly(LIVE);
    assertThat(after.scopes().get(0).keys().get(0).estimate()).isEqualTo(2);
  }

  @Test
  void answer_newMergerAfterAPause_hasNoMissingNodes() {
    start("a");
    SimulatedNode next = start("b");
    start("c").touch(3);
    run(9);

    ticker.advance(Duration.ofSeconds(8));
    next.fleet.tick();

    assertThat(view(next).merger()).isEqualTo("b");
    assertThat(view(next).members()).extracting(FleetMember::state).containsOnly(LIVE);
    assertThat(view(next).scopes().get(0).touches()).isEqualTo(1);
  }

  @Test
  void answer_newMergerAfterANodeDied_reportsItAsMissing() {
    SimulatedNode merger = start("a");
    SimulatedNode next = start("b");
    SimulatedNode dead = start("c");
    run(8);
    nodes.remove(dead);
    run(16);
    nodes.remove(merger);

    run(8);

    assertThat(view(next).merger()).isEqualTo("b");
    assertThat(member(next, "c").state()).isEqualTo(MISSING);
    assertThat(member(next, "a").state()).isNotEqualTo(MISSING);
  }

  @Test
  void answer_nodeDiedBeforeItListedItsSnapshot_isMissingAndNotAdded() {
    SimulatedNode merger = start("a");
    SimulatedNode dead = start("b");
    dead.touch(3);
    run(8);
    nodes.remove(dead);
    exchange.unlist("b");

    run(20);

    assertThat(member(merger, "b").state()).isEqualTo(MISSING);
    assertThat(view(merger).scopes().get(0).nodes()).isEqualTo(1);
    assertThat(view(merger).scopes().get(0).touches()).isZero();
  }

  @Test
  void tick_failedPublication_isRetriedAtTheNextTick() {
    SimulatedNode node = start("a");
    run(8);
    long before = member(node, "a").sequence();

    exchange.deaf = true;
    run(3);
    exchange.deaf = false;
    run(1);

    assertThat(member(node, "a").sequence()).isGreaterThan(before);
    assertThat(member(node, "a").ageMillis()).isZero();
  }

  @Test
  void answer_ownSnapshotLost_stillHasItsCounts() {
    SimulatedNode node = start("a");
    node.touch(3);
    run(9);

    exchange.forget(List.of("a"));
    run(2);

    assertThat(member(node, "a").state()).isEqualTo(LIVE);
    assertThat(view(node).scopes().get(0).touches()).isEqualTo(1);
  }

  @Test
  void unpack_packedView_equalsTheOriginal() {
    SimulatedNode node = start("a");
    start("b").touch(3);
    node.touch(3);
    run(8);
    FleetView view = view(node);

    FleetView read = FleetView.unpack(view.pack(7), 7);

    assertThat(read).isEqualTo(view);
    assertThat(view.scopes().get(0).keys().get(0).shares()).hasSize(2);
    assertThat(view.scopes().get(0).distinct()).isEqualTo(1);
  }

  private SimulatedNode start(String name) {
    var node = new SimulatedNode(name, 9, ticker, exchange, view -> {});
    nodes.add(node);
    return node;
  }

  private void run(int ticks) {
    for (int i = 0; i < ticks; i++) {
      ticker.advance(TICK);
      nodes.forEach(node -> node.fleet.tick());
    }
  }

  private static FleetView view(SimulatedNode node) {
    FleetAnswer answer = node.fleet.answer();
    FleetView view = answer.view();
    if (view == null) {
      throw new AssertionError(answer.localOnly());
    }
    return view;
  }

  private static FleetMember member(SimulatedNode node, String name) {
    return view(node).members().stream()
        .filter(member -> member.node().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
