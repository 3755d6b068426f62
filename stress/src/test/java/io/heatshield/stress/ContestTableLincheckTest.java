package io.heatshield.stress;

import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Linearizability of a few calls of touch, find and remove. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Tag("thorough")
public class ContestTableLincheckTest {
  private static final String[] KEYS = {"a", "b"};

  private final ContestSubject table = ContestSubject.create(2);

  @Operation
  public boolean touch(@Param(name = "key") int key) {
    return table.touch(KEYS[key], 1);
  }

  @Operation
  public long find(@Param(name = "key") int key) {
    return table.find(KEYS[key]);
  }

  @Operation
  public boolean remove(@Param(name = "key") int key) {
    return table.remove(KEYS[key]) > 0;
  }

  @Test
  void everyOperation_anyInterleaving_isThatOfExactScores() {
    Interleavings.check(getClass(), Exact.class);
  }

  /** Exact scores at a constant time, one call at a time. */
  public static final class Exact {
    private final Map<Integer, Long> scores = new HashMap<>();

    public boolean touch(int key) {
      return scores.merge(key, 1L, Long::sum) > 0;
    }

    public long find(int key) {
      return scores.getOrDefault(key, 0L);
    }

    public boolean remove(int key) {
      return scores.remove(key) != null;
    }
  }
}
