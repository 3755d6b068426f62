package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class SlotIndexPropertyTest {
  private static final int CAPACITY = 1024;
  private static final int OWN_GENERATION = 7;
  private static final Slot NOBODY = new Audit.Followed(0, 0, 0, 0);
  private static final int MOST_FACTOR = 500;

  /** Times the number that mixes hashes it is 1: the hash of what a mixed one shall be. */
  private static final long UNMIX = inverse(Slot.mix(1));

  @Property(tries = 100)
  void number_ofAnyHashes_isTheirSlotsAndNobodyElses(
      @ForAll("hashes") Set<Long> hashes,
      @ForAll("hashes") Set<Long> others,
      @ForAll @IntRange(min = 0, max = 100) int before) {
    List<Slot> slots = new ArrayList<>();
    for (long hash : hashes) {
      int number = slots.size() + 1;
      slots.add(new Audit.Followed(hash, before + number, 3 * number, 0));
    }

    var index = new SlotIndex<>(slots, before, CAPACITY, OWN_GENERATION, NOBODY);

    for (Slot slot : slots) {
      int number = index.number(slot.hash);
      assertThat(number).isEqualTo(slot.number - before);
      assertThat(index.generation(number)).isEqualTo(slot.generation);
      assertThat(index.find(slot.hash)).isSameAs(slot);
    }
    for (long hash : others) {
      if (!hashes.contains(hash)) {
        assertThat(index.number(hash)).isZero();
        assertThat(index.find(hash)).isNull();
      }
    }
    assertThat(index.largestFactor()).isLessThan(MOST_FACTOR);
    assertThat(index.generation(0)).isEqualTo(OWN_GENERATION);
    assertThat(index.at(0)).isSameAs(NOBODY);
    assertThat(index.all()).isEqualTo(slots);
  }

  /**
   * Hashes as they should be, those of the audit's sample, and ones that no hash function gave:
   * near each other, or shifted.
   */
  @Provide
  Arbitrary<Set<Long>> hashes() {
    Arbitrary<Long> any =
        Arbitraries.oneOf(
            Arbitraries.longs().withoutEdgeCases(),
            Arbitraries.longs().between(1, 1L << 52).withoutEdgeCases().map(n -> n * UNMIX),
            Arbitraries.longs().between(-600, 600),
            Arbitraries.longs().between(0, 600).map(n -> n << 54),
            Arbitraries.longs().between(0, 600).map(n -> n << 32));
    return any.set().ofMinSize(0).ofMaxSize(CAPACITY);
  }

  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
