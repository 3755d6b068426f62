package io.heatshield.stress;

import io.heatshield.hash.KeyHash;
import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Linearizability of a few touches and reads of the sketch: single touches make a sum over stripes
 * that grows by one at a time.
 *
 * <p>The keys of the test share no cell, so an estimate is a count.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Tag("thorough")
public class CountMinSketchLincheckTest {
  private static final KeyHash HASH = KeyHash.fast(SketchSubject.SECRET);
  private static final long[] HASHES = {HASH.hash("a"), HASH.hash("d")};

  private final SketchSubject sketch = SketchSubject.create(2);

  @Operation
  public void add(@Param(name = "key") int key) {
    sketch.add(HASHES[key]);
  }

  @Operation
  public long estimate(@Param(name = "key") int key) {
    return sketch.estimate(HASHES[key]);
  }

  @Test
  void addAndEstimate_anyInterleaving_areThoseOfAnExactCount() {
    Interleavings.check(getClass(), Exact.class);
  }

  /** Exact counts, one call at a time. */
  public static final class Exact {
    private final Map<Integer, Long> counts = new HashMap<>();

    public void add(int key) {
      counts.merge(key, 1L, Long::sum);
    }

    public long estimate(int key) {
      return counts.getOrDefault(key, 0L);
    }
  }
}
