package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.key.KeyForm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** Compares a small table with a map of the entries that it returned. */
class ContestTablePropertyTest {

  /** A call: its kind, the number of its key, its weight, and the time before it. */
  record Call(int kind, int key, long weight, long gapNanos) {}

  @Property(tries = 300)
  void anyCalls_smallTable_equalsTheModel(
      @ForAll("calls") List<Call> calls,
      @ForAll @IntRange(min = 1, max = 7) int slots,
      @ForAll @IntRange(min = 0, max = 5) int probes) {
    var fixture = new ContestFixture();
    Map<String, Tracked> model = new HashMap<>();
    int[] capacity = {slots};
    ContestTable table =
        ContestFixture.table(
            fixture.builder(slots).probes(probes).stripes(1),
            entry -> assertThat(model.remove(entry.toString())).isSameAs(entry));

    for (Call call : calls) {
      fixture.ticker.advanceNanos(call.gapNanos());
      String key = "k" + call.key();
      switch (call.kind()) {
        case 0 ->
            assertThat(table.remove(KeyForm.TEXT, key, hash(key))).isSameAs(model.remove(key));
        case 1 -> {
          capacity[0] = 1 + (call.key() % 9);
          table.resize(capacity[0]);
        }
        default -> {
          boolean full = model.size() == capacity[0];
          Tracked entry = table.touch(KeyForm.TEXT, key, hash(key), call.weight());
          if (entry != null) {
            Tracked before = model.put(key, entry);
            assertThat(before == null || before == entry).isTrue();
          } else {
            assertThat(full).isTrue();
            assertThat(model).doesNotContainKey(key);
          }
        }
      }
      assertThat(table.stats().size()).isEqualTo(model.size()).isLessThanOrEqualTo(capacity[0]);
    }

    for (int i = 0; i < 30; i++) {
      String key = "k" + i;
      assertThat(table.find(KeyForm.TEXT, key, hash(key))).isSameAs(model.get(key));
    }
    assertThat(model.values()).noneMatch(Tracked::isEvicted);
    assertThat(table.top(100)).hasSize(model.size()).isSortedAccordingTo(KeyScore.HIGHEST_FIRST);
    assertThat(table.top(100))
        .allSatisfy(entry -> assertThat(entry.score()).isFinite().isNotNegative());
    ContestStats stats = table.stats();
    assertThat(stats.contests()).isEqualTo(stats.won() + stats.rejected());
  }

  @Provide
  Arbitrary<List<Call>> calls() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(0, 29),
            Arbitraries.longs().between(1, 50),
            // Most calls are at most 1 ms apart, some up to three windows.
            Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.longs().between(0, 1_000_000)),
                Tuple.of(1, Arbitraries.longs().between(0, 30_000_000_000L))))
        .as(Call::new)
        .list()
        .ofMaxSize(200);
  }

  /** Returns one of five hashes, so that keys collide and are compared by their bytes. */
  private static long hash(String key) {
    return key.charAt(key.length() - 1) % 5;
  }
}
