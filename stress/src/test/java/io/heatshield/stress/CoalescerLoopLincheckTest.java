package io.heatshield.stress;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Linearizability of a few coalesced calls by event loops. */
@Param(name = "hits", gen = IntGen.class, conf = "0:2")
@Tag("thorough")
public class CoalescerLoopLincheckTest {
  private final CoalescerSubject coalescer = CoalescerSubject.createOnLoops();

  @Operation
  public long add(@Param(name = "hits") int hits) {
    return coalescer.add(hits);
  }

  @Test
  void everyOperation_anyInterleaving_isThatOfAnExactCount() {
    Interleavings.check(getClass(), CoalescerLincheckTest.Exact.class);
  }
}
