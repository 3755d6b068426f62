package io.heatshield.stress;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Linearizability of a few loads and writes of one key. */
@Param(name = "value", gen = IntGen.class, conf = "1:3")
@Tag("thorough")
public class HotValuesLincheckTest {
  private final HotValuesSubject values = HotValuesSubject.create();

  @Operation
  public void write(@Param(name = "value") int value) {
    values.write(value);
  }

  @Operation
  public int read() {
    return values.read();
  }

  @Test
  void everyOperation_anyInterleaving_isThatOfAVariable() {
    Interleavings.check(getClass(), Variable.class);
  }

  /** The value of a backend without a cache, one call at a time. */
  public static final class Variable {
    private int value;

    public void write(int next) {
      value = next;
    }

    public int read() {
      return value;
    }
  }
}
