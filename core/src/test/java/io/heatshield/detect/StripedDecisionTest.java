package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.Verdict.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Touches by threads that use different stripes, one call at a time. */
class StripedDecisionTest {
  private static final int STRIPES = 4;

  private final List<ExecutorService> workers = new ArrayList<>();
  private final DetectorFixture world =
      new DetectorFixture(DetectorFixture.settings().stripes(STRIPES).build());

  @AfterEach
  void stop() {
    workers.forEach(ExecutorService::shutdownNow);
  }

  @Test
  void touch_stripeBelowItsShare_isHotIfAnotherStripeHasTheRest() throws Exception {
    ExecutorService one = worker(0);
    ExecutorService other = worker(1);

    assertThat(touch(one, 99)).isSameAs(Verdict.COOL);

    assertThat(touch(other, 1).kind()).isEqualTo(Kind.HOT);
  }

  @Test
  void touch_keyThatAnotherStripeCooled_isHotByTheSum() throws Exception {
    ExecutorService one = worker(0);
    ExecutorService other = worker(1);
    touch(one, 100);
    for (int pane = 1; pane <= 14; pane++) {
      world.passSeconds(2.5);
      assertThat(touch(one, pane < 14 ? 20 : 17).kind()).isEqualTo(Kind.HOT);
    }
    world.passSeconds(2.5);
    assertThat(touch(other, 1)).isSameAs(Verdict.COOL);
    assertThat(world.events).containsExactly("hot a", "cool a");

    assertThat(touch(other, 21)).isSameAs(Verdict.COOL);
    assertThat(touch(other, 1).kind()).isEqualTo(Kind.HOT);
  }

  @Test
  void touch_everyThreadInTurn_isHotExactlyAtTheThreshold() throws Exception {
    List<ExecutorService> all = List.of(worker(0), worker(1), worker(2), worker(3));
    int touches = 0;
    Verdict verdict = Verdict.COOL;

    while (verdict == Verdict.COOL) {
      verdict = touch(all.get(touches++ % STRIPES), 1);
    }

    assertThat(touches).isEqualTo(100);
    assertThat(world.detector.top(1).get(0).estimate()).isEqualTo(100);
    assertThat(world.detector.top(1).get(0).guaranteed()).isEqualTo(99);
    assertThat(world.detector.stats().touches()).isEqualTo(100);
  }

  @Test
  void touch_afterALowerThreshold_isHotByTheSum() throws Exception {
    ExecutorService one = worker(0);
    ExecutorService other = worker(1);
    world.detector.retune(Duration.ofSeconds(10), 100);
    touch(one, 99);

    world.detector.retune(Duration.ofSeconds(10), 10);

    assertThat(touch(other, 1).kind()).isEqualTo(Kind.HOT);
  }

  private Verdict touch(ExecutorService worker, long weight) throws Exception {
    return worker.submit(() -> world.detector.touch("a", weight)).get();
  }

  /** Returns a worker whose thread first tries the given stripe. */
  private ExecutorService worker(int stripe) throws Exception {
    while (true) {
      ExecutorService worker = Executors.newSingleThreadExecutor();
      workers.add(worker);
      Future<Long> id = worker.submit(() -> Thread.currentThread().getId());
      if (id.get() % STRIPES == stripe) {
        return worker;
      }
    }
  }
}
