package io.heatshield.detect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final long HASH = 42;
  private static final byte[] KEY = "a".getBytes(UTF_8);

  private final DetectorSettings settings =
      DetectorSettings.builder().window(Duration.ofSeconds(1)).threshold(100).stripes(1).build();
  private final Stripes stripes = new Stripes(settings, 64);
  private final Pane pane = Pane.first(new Limits(settings), 0);
  private final Budgets budgets = new Budgets(stripes, () -> pane);
  private final Candidates candidates = new Candidates(64, stripes, budgets);
  private final List<String> events = new ArrayList<>();
  private final Judge judge = new Judge(stripes, budgets, candidates, new Recorder());

  @Test
  void decide_byACountFromBeforeTheKeyTurnedHot_leavesItHot() {
    long own = touch(100);
    judge.decide(pane, 0, HASH, KEY, own, true, null);
    Candidate candidate = candidates.find(HASH);

    Verdict late = judge.decide(pane, 0, HASH, KEY, 60, false, candidate);

    assertThat(late.kind()).isEqualTo(Verdict.Kind.HOT);
    assertThat(events).containsExactly("hot");
  }

  @Test
  void fall_fromAMomentBeforeALaterRise_isRefused() {
    judge.decide(pane, 0, HASH, KEY, touch(100), true, null);
    Candidate candidate = candidates.find(HASH);
    assertThat(candidate).isNotNull();
    int before = candidate.moment();

    boolean fell = candidate.fall(before);
    candidate.move(Candidate.FALLING, Candidate.COOL);
    candidate.move(Candidate.COOL, Candidate.RISING);
    candidate.move(Candidate.RISING, Candidate.HOT);

    assertThat(fell).isTrue();
    assertThat(candidate.fall(before)).isFalse();
    assertThat(candidate.isHot()).isTrue();
  }

  @Test
  void admit_ofAKey_givesNobodyANewGeneration() {
    int before = candidates.index().generation(0);

    judge.decide(pane, 0, HASH, KEY, touch(100), true, null);

    assertThat(candidates.index().generation(0)).isGreaterThan(before);
  }

  private long touch(int times) {
    WindowedStripe stripe = stripes.enter();
    long estimate = 0;
    for (int i = 0; i < times; i++) {
      estimate = stripe.add(HASH, 1, pane.epoch);
    }
    stripe.unlock();
    return estimate;
  }

  private final class Recorder implements HotKeyListener {
    @Override
    public void turnedHot(KeyReport key) {
      events.add("hot");
    }

    @Override
    public void cooled(KeyReport key) {
      events.add("cool");
    }
  }
}
