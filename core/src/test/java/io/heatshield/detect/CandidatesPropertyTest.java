package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CandidatesPropertyTest {
  private static final int CAPACITY = 64;

  @Property(tries = 100)
  void find_afterAnyAdmissions_findsExactlyTheTrackedKeys(
      @ForAll("hashes") Set<Long> hashes, @ForAll("hashes") Set<Long> others) {
    DetectorSettings settings = DetectorFixture.settings().toSettings();
    var stripes = new DetectorStripes(settings, CAPACITY);
    var candidates = new Candidates(CAPACITY, stripes);
    Pane pane = Pane.first(settings, 0);

    for (long hash : hashes) {
      candidates.admit(hash, new byte[0], 1, pane, 0, true);
    }

    assertThat(candidates.all()).hasSize(Math.min(CAPACITY, hashes.size()));
    assertThat(candidates.all()).allMatch(kept -> candidates.find(kept.hash) == kept);
    assertThat(candidates.all()).extracting(kept -> kept.number).doesNotHaveDuplicates();
    others.removeAll(hashes);
    assertThat(others).allMatch(hash -> candidates.find(hash) == null);
  }

  /** Returns random hashes, adjacent ones, and ones that differ only in the upper bits. */
  @Provide
  Arbitrary<Set<Long>> hashes() {
    Arbitrary<Long> any =
        Arbitraries.oneOf(
            Arbitraries.longs().withoutEdgeCases(),
            Arbitraries.longs().between(-600, 600),
            Arbitraries.longs().between(0, 600).map(n -> n << 54),
            Arbitraries.longs().between(0, 600).map(n -> n << 32));
    return any.set().ofMinSize(0).ofMaxSize(2 * CAPACITY);
  }
}
