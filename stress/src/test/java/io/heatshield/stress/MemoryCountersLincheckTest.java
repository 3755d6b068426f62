package io.heatshield.stress;

import io.heatshield.limit.Algorithm;
import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Linearizability of a few calls that add and clear. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "hits", gen = IntGen.class, conf = "0:2")
@Tag("thorough")
public class MemoryCountersLincheckTest {
  private static final String[] KEYS = {"a", "b"};

  private final CountersSubject counters = CountersSubject.create(Algorithm.FIXED_WINDOW, 100);

  public MemoryCountersLincheckTest() {
    counters.add(KEYS[0], 5);
    counters.turn();
  }

  @Operation
  public long add(@Param(name = "key") int key, @Param(name = "hits") int hits) {
    return counters.add(KEYS[key], hits);
  }

  @Operation
  public void maintain() {
    counters.maintain();
  }

  @Test
  void everyOperation_anyInterleaving_isThatOfAnExactCount() {
    Interleavings.check(getClass(), Exact.class);
  }

  /** Exact counts, one call at a time. */
  public static final class Exact {
    private final Map<Integer, Long> counts = new HashMap<>();

    public long add(int key, int hits) {
      return counts.merge(key, (long) hits, Long::sum);
    }

    public void maintain() {}
  }
}
