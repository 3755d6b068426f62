package io.heatshield.stress;

import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Linearizability of a few calls of touch, count, remove and clamp. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Tag("thorough")
public class HotRingLincheckTest {
  private static final String[] KEYS = {"a", "b"};

  private final RingSubject ring = RingSubject.create();

  @Operation
  public long touch(@Param(name = "key") int key) {
    return ring.touch(KEYS[key]);
  }

  @Operation
  public long count(@Param(name = "key") int key) {
    return ring.count(KEYS[key]);
  }

  @Operation
  public long remove(@Param(name = "key") int key) {
    return ring.remove(KEYS[key]);
  }

  @Operation
  public long clamp(@Param(name = "key") int key) {
    return ring.clamp(KEYS[key], 2);
  }

  @Test
  void everyOperation_anyInterleaving_isThatOfAnExactCount() {
    Interleavings.check(getClass(), Exact.class);
  }

  /** Exact counts, one call at a time. */
  public static final class Exact {
    private final Map<Integer, Long> counts = new HashMap<>();

    public long touch(int key) {
      return counts.merge(key, 1L, Long::sum);
    }

    public long count(int key) {
      return counts.getOrDefault(key, 0L);
    }

    public long remove(int key) {
      long count = count(key);
      counts.remove(key);
      return count;
    }

    public long clamp(int key) {
      return count(key) >= 2 ? -1 : touch(key);
    }
  }
}
