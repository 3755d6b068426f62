package io.heatshield.contest;

import static io.heatshield.contest.ContestFixture.bytes;
import static io.heatshield.contest.ContestFixture.tracked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.testkit.keys.DisplayAssertions;
import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContestTableTest {
  private final ContestFixture fixture = new ContestFixture();

  @Test
  void touch_sameKeyInEveryForm_returnsOneEntry() {
    ContestTable table = fixture.table(8);

    Tracked entry = tracked(ContestFixture.touch(table, "client"));

    assertThat(ContestFixture.touch(table, bytes("client"))).isSameAs(entry);
    assertThat(ContestFixture.weigh(table, "client", 3)).isSameAs(entry);
    assertThat(ContestFixture.find(table, "client")).isSameAs(entry);
    assertThat(ContestFixture.find(table, bytes("client"))).isSameAs(entry);
    assertThat(entry.rate()).isEqualTo(5 / 10.0);
    assertThat(table.stats().size()).isEqualTo(1);
  }

  @Test
  void touch_maximumWeights_keepsTheScoreFinite() {
    ContestTable table = fixture.table(8);

    for (int i = 0; i < 100; i++) {
      var unused = ContestFixture.weigh(table, "client", Long.MAX_VALUE);
    }

    assertThat(table.top(1).get(0).score()).isFinite().isGreaterThan(1e20);
  }

  @Test
  void rate_idleKey_decaysWithoutTouches() {
    ContestTable table = fixture.table(8);
    ContestFixture.touch(table, "idle", 1_000);
    fixture.ticker.advance(Duration.ofMinutes(5));
    ContestFixture.touch(table, "busy", 10);

    List<KeyScore> top = table.top(2);

    assertThat(top.get(0).key()).isEqualTo(bytes("busy"));
    assertThat(top.get(1).rate()).isCloseTo(100 * Math.exp(-30), within(1e-12));
    assertThat(top.get(1).age()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void listener_evictions_receivesEachOnce() {
    List<Tracked> received = new ArrayList<>();
    ContestTable table = ContestFixture.table(fixture.builder(4), received::add);

    for (int i = 1; i <= 40; i++) {
      ContestFixture.touch(table, "client:" + i, 3 * i);
    }

    assertThat(received).hasSize((int) table.stats().evictions()).doesNotHaveDuplicates();
    assertThat(received).hasSizeGreaterThan(10).allMatch(Tracked::isEvicted);
    assertThat(received).noneMatch(entry -> ContestFixture.find(table, entry.key()) == entry);
  }

  @Test
  void listener_eviction_isCalledWithoutALock() throws Exception {
    ContestTable[] table = new ContestTable[1];
    List<Long> sizes = new ArrayList<>();
    table[0] =
        ContestFixture.table(
            fixture.builder(1),
            entry -> {
              // Another thread can read the table, which it could not if the stripe were locked.
              var other = new Thread(() -> sizes.add(table[0].stats().size()));
              other.start();
              try {
                other.join();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    var unused = ContestFixture.touch(table[0], "one");

    assertThat(ContestFixture.weigh(table[0], "two", 100)).isNotNull();
    assertThat(sizes).containsExactly(1L);
  }

  @Test
  void remove_trackedKey_freesItsSlotAndMarksTheEntryEvicted() {
    ContestTable table = fixture.table(2);
    ContestFixture.touch(table, "one", 5);
    Tracked one = tracked(ContestFixture.touch(table, "one"));
    var unused = ContestFixture.touch(table, "two");

    assertThat(ContestFixture.remove(table, "one")).isSameAs(one);

    assertThat(one.isEvicted()).isTrue();
    assertThat(ContestFixture.remove(table, "one")).isNull();
    assertThat(table.stats().evictions()).isZero();
    assertThat(tracked(ContestFixture.touch(table, "one")).rate()).isEqualTo(0.1);
  }

  @Test
  void top_moreThanTheEntries_returnsAllInOrder() {
    ContestTable table = fixture.table(100);
    for (int i = 1; i <= 20; i++) {
      ContestFixture.touch(table, "client:" + i, i);
    }

    assertThat(table.top(100)).hasSize(20).isSortedAccordingTo(KeyScore.HIGHEST_FIRST);
    assertThat(table.top(3)).extracting(KeyScore::score).containsExactly(20.0, 19.0, 18.0);
    assertThat(table.top(0)).isEmpty();
    assertThatThrownBy(() -> table.top(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void resize_fewerSlots_keepsTheEntriesWithTheHighestScores() {
    List<Tracked> received = new ArrayList<>();
    ContestTable table = ContestFixture.table(fixture.builder(64).stripes(2), received::add);
    List<Tracked> entries = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      ContestFixture.touch(table, "client:" + i, 2 * i);
      entries.add(ContestFixture.find(table, "client:" + i));
    }

    table.resize(16);

    assertThat(table.stats().size()).isEqualTo(16);
    assertThat(table.stats().capacity()).isEqualTo(16);
    assertThat(received).hasSize(24);
    assertThat(entries)
        .filteredOn(Tracked::isEvicted)
        .containsExactlyInAnyOrderElementsOf(received);
    // Each stripe keeps its own highest scores, which include the six highest of the table.
    assertThat(entries.subList(34, 40)).noneMatch(Tracked::isEvicted);
    assertThat(table.stats().evictions()).isEqualTo(24);
  }

  @Test
  void resize_moreSlots_keepsAllEntriesAndAcceptsNewcomers() {
    ContestTable table = ContestFixture.table(fixture.builder(4));
    for (int i = 0; i < 4; i++) {
      ContestFixture.touch(table, "client:" + i, 10);
    }

    table.resize(6);

    assertThat(ContestFixture.touch(table, "newcomer")).isNotNull();
    assertThat(table.stats().size()).isEqualTo(5);
  }

  @Test
  void touch_longKeysWithTheSameStart_areDifferentEntries() {
    ContestTable table = fixture.table(8);
    String start = "x".repeat(600);

    Tracked one = tracked(ContestFixture.touch(table, start + "1"));
    Tracked two = tracked(ContestFixture.touch(table, start + "2"));

    assertThat(one).isNotSameAs(two);
    assertThat(ContestFixture.touch(table, start + "1")).isSameAs(one);
    assertThat(one.key()).hasSize(512);
    assertThat(one.length()).isEqualTo(601);
  }

  @Test
  void toString_nastyKeys_isPrintable() {
    ContestTable table = fixture.table(1_000);

    for (NastyKey key : NastyKeys.all()) {
      var unused = ContestFixture.touch(table, key.bytes());
    }

    for (KeyScore entry : table.top(1_000)) {
      DisplayAssertions.assertSafeToDisplay(entry.toString());
    }
    assertThat(table.top(1_000)).hasSizeGreaterThan(10);
  }
}
