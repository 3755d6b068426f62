package io.heatshield.stress;

import io.heatshield.store.BoardSubject;
import java.util.HashSet;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Flights put up and dropped under every interleaving of a few calls: as if one by one. */
@Param(name = "key", gen = IntGen.class, conf = "0:2")
public class BoardLincheckTest {
  private final BoardSubject board = BoardSubject.create();

  @Operation
  public boolean put(@Param(name = "key") int key) {
    return board.put(key);
  }

  @Operation
  public void drop(@Param(name = "key") int key) {
    board.drop(key);
  }

  @Test
  void everyOperation_anyInterleaving_isThatOfASet() {
    Interleavings.check(getClass(), Keys.class);
  }

  /** The keys that have a flight, one call at a time. */
  public static final class Keys {
    private final Set<Integer> up = new HashSet<>();

    public boolean put(int key) {
      return up.add(key);
    }

    public void drop(int key) {
      up.remove(key);
    }
  }
}
