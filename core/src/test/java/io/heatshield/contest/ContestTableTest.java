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

    Tracked entry = tracked(table.touch("client"));

    assertThat(table.touch(bytes("client"))).isSameAs(entry);
    assertThat(table.touch(entry.hash(), "client", 1)).isSameAs(entry);
    assertThat(table.touch("client", 1)).isSameAs(entry);
    assertThat(table.touch(bytes("client"), 1)).isSameAs(entry);
    assertThat(table.find("client")).isSameAs(entry);
    assertThat(table.find(bytes("client"))).isSameAs(entry);
    assertThat(table.find(entry.hash(), "client")).isSameAs(entry);
    assertThat(entry.rate()).isEqualTo(5 / 10.0);
    assertThat(table.stats().size()).isEqualTo(1);
  }

  @Test
  void touch_weightZero_throws() {
    ContestTable table = fixture.table(8);

    assertThatThrownBy(() -> table.touch(1, "client", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("weight must be positive: 0");
  }

  @Test
  void touch_maximumWeights_keepsTheScoreFinite() {
    ContestTable table = fixture.table(8);

    for (int i = 0; i < 100; i++) {
      var unused = table.touch(7, "client", Long.MAX_VALUE);
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
    ContestTable table = fixture.builder(4).listener(received::add).build();

    for (int i = 1; i <= 40; i++) {
      ContestFixture.touch(table, "client:" + i, 3 * i);
    }

    assertThat(received).hasSize((int) table.stats().evictions()).doesNotHaveDuplicates();
    assertThat(received).hasSizeGreaterThan(10).allMatch(Tracked::isEvicted);
    assertThat(received).noneMatch(entry -> table.find(entry.key()) == entry);
  }

  @Test
  void listener_eviction_isCalledWithoutALock() throws Exception {
    ContestTable[] table = new ContestTable[1];
    List<Long> sizes = new ArrayList<>();
    table[0] =
        fixture
            .builder(1)
            .listener(
                entry -> {
                  // Another thread can read the table, which it could not if the stripe were
                  // locked.
                  var other = new Thread(() -> sizes.add(table[0].stats().size()));
                  other.start();
                  try {
                    other.join();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                })
            .build();
    var unused = table[0].touch("one");

    assertThat(table[0].touch(5, "two", 100).isTracked()).isTrue();
    assertThat(sizes).containsExactly(1L);
  }

  @Test
  void remove_trackedKey_freesItsSlotAndMarksTheEntryEvicted() {
    ContestTable table = fixture.table(2);
    ContestFixture.touch(table, "one", 5);
    Tracked one = tracked(table.touch("one"));
    var unused = table.touch("two");

    assertThat(table.remove(bytes("one"))).isSameAs(one);

    assertThat(one.isEvicted()).isTrue();
    assertThat(table.remove(bytes("one"))).isNull();
    assertThat(table.stats().evictions()).isZero();
    assertThat(tracked(table.touch("one")).rate()).isEqualTo(0.1);
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
    ContestTable table = fixture.builder(64).stripes(2).listener(received::add).build();
    List<Tracked> entries = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      ContestFixture.touch(table, "client:" + i, 2 * i);
      entries.add(table.find(bytes("client:" + i)));
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
    ContestTable table = fixture.builder(4).build();
    for (int i = 0; i < 4; i++) {
      ContestFixture.touch(table, "client:" + i, 10);
    }

    table.resize(6);

    assertThat(table.touch("newcomer").isTracked()).isTrue();
    assertThat(table.stats().size()).isEqualTo(5);
    assertThatThrownBy(() -> table.resize(0)).hasMessage("slots must be 1 to 10000000: 0");
  }

  @Test
  void resetStats_afterTouches_keepsOnlySizeAndCapacity() {
    ContestTable table = fixture.table(2);
    ContestFixture.touch(table, "client", 9);

    table.resetStats();

    assertThat(table.stats()).isEqualTo(new ContestStats(1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(table.stats().used()).isEqualTo(0.5);
  }

  @Test
  void touch_longKeysWithTheSameStart_areDifferentEntries() {
    ContestTable table = fixture.table(8);
    String start = "x".repeat(600);

    Tracked one = tracked(table.touch(start + "1"));
    Tracked two = tracked(table.touch(start + "2"));

    assertThat(one).isNotSameAs(two);
    assertThat(table.touch(start + "1")).isSameAs(one);
    assertThat(one.key()).hasSize(512);
    assertThat(one.length()).isEqualTo(601);
  }

  @Test
  void toString_nastyKeys_isPrintable() {
    ContestTable table = fixture.table(1_000);

    for (NastyKey key : NastyKeys.all()) {
      var unused = table.touch(key.bytes());
    }

    for (KeyScore entry : table.top(1_000)) {
      DisplayAssertions.assertSafeToDisplay(entry.toString());
    }
    assertThat(table.top(1_000)).hasSizeGreaterThan(10);
  }

  @Test
  void build_invalidSettings_reportsAll() {
    assertThatThrownBy(
            () ->
                ContestTable.builder().slots(0).window(Duration.ZERO).probes(-1).stripes(3).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "slots must be", "window must be", "probes must be", "stripes must be");
  }
}
