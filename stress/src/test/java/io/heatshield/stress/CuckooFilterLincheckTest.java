package io.heatshield.stress;

import java.util.HashSet;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Linearizability of a few operations of the filter.
 *
 * <p>The keys of the test have different fingerprints, so the filter is an exact set, and adding a
 * key moves stored ones.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Tag("thorough")
public class CuckooFilterLincheckTest {
  private final FilterSubject filter = FilterSubject.create();

  @Operation
  public boolean add(@Param(name = "key") int key) {
    return filter.add(FilterKeys.MOVERS[key]);
  }

  @Operation
  public boolean delete(@Param(name = "key") int key) {
    return filter.delete(FilterKeys.MOVERS[key]);
  }

  @Operation
  public boolean contains(@Param(name = "key") int key) {
    return filter.contains(FilterKeys.MOVERS[key]);
  }

  @Operation
  public int missing() {
    return filter.missing();
  }

  @Test
  void operations_anyInterleaving_areThoseOfAnExactSet() {
    Interleavings.check(getClass(), Exact.class);
  }

  /** An exact set, one call at a time. */
  public static final class Exact {
    private final Set<Integer> keys = new HashSet<>();

    public boolean add(int key) {
      return keys.add(key);
    }

    public boolean delete(int key) {
      return keys.remove(key);
    }

    public boolean contains(int key) {
      return keys.contains(key);
    }

    public int missing() {
      return 0;
    }
  }
}
