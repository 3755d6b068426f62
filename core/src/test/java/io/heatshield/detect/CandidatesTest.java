package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CandidatesTest {
  private final DetectorSettings settings = DetectorFixture.settings().toSettings();
  private final DetectorStripes stripes = new DetectorStripes(settings, 1);
  private final Candidates candidates = new Candidates(1, stripes);
  private final Pane pane = Pane.first(settings, 0);

  @Test
  void admit_displacedKey_startsExactCountAtZero() {
    Candidate before = admit(1, 5);
    count(before, 5);

    Candidate after = admit(2, 50);

    assertThat(candidates.all()).containsExactly(after);
    assertThat(after.number).isEqualTo(before.number);
    assertThat(stripes.exact(after.number, pane.epoch)).isZero();
  }

  @Test
  void admit_weakerKey_returnsNull() {
    Candidate kept = admit(1, 50);
    count(kept, 50);

    Candidate other = candidates.admit(2, new byte[0], 50, pane, 0, false);

    assertThat(other).isNull();
    assertThat(candidates.all()).containsExactly(kept);
  }

  private Candidate admit(long hash, long estimate) {
    Candidate candidate = candidates.admit(hash, new byte[0], estimate, pane, 0, false);
    assertThat(candidate).isNotNull();
    return candidate;
  }

  private void count(Candidate candidate, int touches) {
    WindowedStripe stripe = stripes.enter();
    long own = WindowedStripe.total(stripe.add(candidate.hash, touches, pane.epoch));
    stripe.addExact(candidate.number, touches, own, 0);
    stripe.unlock();
  }
}
