package io.heatshield.stress;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Linearizability of a few touches and estimates of one key of the detector: single touches make a
 * sum over stripes that grows by one at a time.
 */
@Param(name = "actor", gen = IntGen.class, conf = "0:1")
@Tag("thorough")
public class HotKeyDetectorLincheckTest {
  private final DetectorSubject detector = DetectorSubject.create(2);

  @Operation
  public void touch(@Param(name = "actor") int actor) {
    int unused = detector.touch(actor, 1);
  }

  @Operation
  public long estimate() {
    return detector.estimate();
  }

  @Test
  void touchAndEstimate_anyInterleaving_areThoseOfAnExactCount() {
    Interleavings.check(getClass(), Exact.class);
  }

  /** An exact count, one call at a time. */
  public static final class Exact {
    private long count;

    public void touch(int actor) {
      count++;
    }

    public long estimate() {
      return count;
    }
  }
}
