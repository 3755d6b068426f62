package io.heatshield.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that the keys of the filter's races cause moves: without a move, a race against a move
 * would pass even with a wrong reader.
 */
class FilterKeysTest {
  @Test
  void add_ofTheStoredKeys_findsRoomForAll() {
    var filter = new FilterSubject.Real();

    boolean added = true;
    for (long hash : FilterKeys.STORED) {
      added &= filter.add(hash);
    }

    assertTrue(added);
    assertEquals(0, filter.missing());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void add_ofAMover_movesAStoredKey(int mover) {
    var filter = new FilterSubject.Real();
    for (long hash : FilterKeys.STORED) {
      filter.add(hash);
    }
    long before = filter.moves();

    filter.add(FilterKeys.MOVERS[mover]);

    assertEquals(before + 1, filter.moves());
    assertEquals(0, filter.missing());
  }
}
