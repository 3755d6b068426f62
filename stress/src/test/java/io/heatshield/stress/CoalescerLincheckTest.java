package io.heatshield.stress;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Linearizability of a few coalesced calls: each gets the count of an exact counter. */
@Param(name = "hits", gen = IntGen.class, conf = "0:2")
@Tag("thorough")
public class CoalescerLincheckTest {
  private final CoalescerSubject coalescer = CoalescerSubject.create();

  @Operation
  public long add(@Param(name = "hits") int hits) {
    return coalescer.add(hits);
  }

  @Test
  void everyOperation_anyInterleaving_isThatOfAnExactCount() {
    Interleavings.check(getClass(), Exact.class);
  }

  /** An exact count, one call at a time. */
  public static final class Exact {
    private long count;

    public long add(int hits) {
      count += hits;
      return count;
    }
  }
}
