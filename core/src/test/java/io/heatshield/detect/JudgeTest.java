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
      HotKeyDetector.builder().window(Duration.ofSeconds(1)).threshold(100).stripes(1).toSettings();
  private final DetectorStripes stripes = new DetectorStripes(settings, 64);
  private final Pane pane = Pane.first(settings, 0);
  private final Candidates candidates = new Candidates(64, stripes);
  private final List<String> events = new ArrayList<>();
  private final Judge judge =
      new Judge(
          stripes,
          candidates,
          new HotKeyListeners(key -> events.add("hot"), key -> events.add("cool")));

  @Test
  void verdictOnOther_atTheThreshold_isHotAndTracked() {
    Verdict verdict = verdictAfter(100);

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.HOT);
    assertThat(kept().verdict()).isSameAs(verdict);
    assertThat(events).containsExactly("hot");
  }

  @Test
  void verdictOnTracked_estimateFromBeforeTheKeyTurnedHot_isHot() {
    long own = touch(60);
    verdictAfter(40);

    Verdict late = judge.verdictOnTracked(pane, 0, kept(), own, true);

    assertThat(late.kind()).isEqualTo(Verdict.Kind.HOT);
    assertThat(events).containsExactly("hot");
  }

  @Test
  void cool_outdatedVerdict_isRefused() {
    Verdict first = verdictAfter(100);
    Verdict second = judge.verdictOnTracked(pane, 0, kept(), touch(10), true);

    boolean byTheFirst = kept().cool(first);

    assertThat(byTheFirst).isFalse();
    assertThat(kept().isHot()).isTrue();
    assertThat(kept().cool(second)).isTrue();
    assertThat(kept().verdict()).isSameAs(Verdict.COOL);
  }

  @Test
  void leave_hotKey_isRefused() {
    verdictAfter(100);

    boolean left = kept().leave();

    assertThat(left).isFalse();
    assertThat(kept().verdict().kind()).isEqualTo(Verdict.Kind.HOT);
  }

  @Test
  void raise_keyThatLeft_changesNothing() {
    var candidate = new Candidate(HASH, 0, StoredKey.copyOf(KEY, HASH, 64), 0);
    candidate.leave();

    boolean rose = candidate.raise(Verdict.tracked(Verdict.Kind.HOT, pane, 100, 0, 100, 0));

    assertThat(rose).isFalse();
    assertThat(candidate.verdict()).isSameAs(Verdict.COOL);
  }

  private Candidate kept() {
    Candidate candidate = candidates.find(HASH);
    assertThat(candidate).isNotNull();
    return candidate;
  }

  /** Returns the verdict on a key that has no place yet, after touches. */
  private Verdict verdictAfter(int touches) {
    touch(touches);
    return judge.verdictOnOther(pane, 0, HASH, KEY, true);
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
}
