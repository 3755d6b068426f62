package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Any calls on a small table, against a map of what it answered. */
class ContestTablePropertyTest {

  /** One call: what, on which key, after how long. */
  record Call(int kind, int key, long weight, long gapNanos) {}

  @Property(tries = 300)
  void anyCalls_onASmallTable_keepItWhole(
      @ForAll("calls") List<Call> calls,
      @ForAll @IntRange(min = 1, max = 7) int slots,
      @ForAll @IntRange(min = 0, max = 5) int probes) {
    var fixture = new ContestFixture();
    Map<String, Tracked> held = new HashMap<>();
    int[] capacity = {slots};
    ContestTable table =
        fixture
            .builder(slots)
            .probes(probes)
            .stripes(1)
            .listener(entry -> assertThat(held.remove(entry.toString())).isSameAs(entry))
            .build();

    for (Call call : calls) {
      fixture.ticker.advanceNanos(call.gapNanos());
      String key = "k" + call.key();
      switch (call.kind()) {
        case 0 ->
            assertThat(table.remove(hash(key), ContestFixture.bytes(key)))
                .isSameAs(held.remove(key));
        case 1 -> {
          capacity[0] = 1 + (call.key() % 9);
          table.resize(capacity[0]);
        }
        default -> {
          boolean full = held.size() == capacity[0];
          Touched answer = table.touch(hash(key), key, call.weight());
          if (answer instanceof Tracked entry) {
            Tracked before = held.put(key, entry);
            assertThat(before == null || before == entry).isTrue();
          } else {
            assertThat(full).isTrue();
            assertThat(held).doesNotContainKey(key);
          }
        }
      }
      assertThat(table.stats().size()).isEqualTo(held.size()).isLessThanOrEqualTo(capacity[0]);
    }

    for (int i = 0; i < 30; i++) {
      String key = "k" + i;
      assertThat(table.find(hash(key), key)).isSameAs(held.get(key));
    }
    assertThat(held.values()).noneMatch(Tracked::isEvicted);
    assertThat(table.top(100)).hasSize(held.size()).isSortedAccordingTo(Standing.HIGHEST_FIRST);
    assertThat(table.top(100))
        .allSatisfy(entry -> assertThat(entry.score()).isFinite().isNotNegative());
    ContestStats stats = table.stats();
    assertThat(stats.contests()).isEqualTo(stats.won() + stats.rejected() + stats.vetoed());
  }

  @Provide
  Arbitrary<List<Call>> calls() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(0, 29),
            Arbitraries.longs().between(1, 50),
            // Most calls close together, a few windows apart.
            Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.longs().between(0, 1_000_000)),
                Tuple.of(1, Arbitraries.longs().between(0, 30_000_000_000L))))
        .as(Call::new)
        .list()
        .ofMaxSize(200);
  }

  /** Few hashes, so that keys meet in the index and have to be told apart by their bytes. */
  private static long hash(String key) {
    return key.charAt(key.length() - 1) % 5;
  }
}
