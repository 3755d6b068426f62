package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.detect.Verdict.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HysteresisTest {
  private final DetectorFixture world = new DetectorFixture();

  @Test
  void touch_betweenExitAndThreshold_staysHot() {
    world.touch("a", 100);
    world.passSeconds(7.6);
    world.touch("a", 85);
    world.passSeconds(5);

    Verdict verdict = world.touch("a", 1);

    assertThat(verdict.kind()).isEqualTo(Kind.HOT);
    assertThat(world.events).containsExactly("hot a");
  }

  @Test
  void touch_belowTheExit_coolsOnce() {
    world.touch("a", 100);
    world.passSeconds(7.6);
    world.touch("a", 70);
    world.passSeconds(5);

    Verdict verdict = world.touch("a", 2);

    assertThat(verdict).isSameAs(Verdict.COOL);
    assertThat(world.events).containsExactly("hot a", "cool a");
  }

  @Test
  void maintain_afterAWindowWithoutTouches_coolsTheKey() {
    world.touch("a", 100);
    world.passSeconds(9.9);
    world.detector.maintain();
    assertThat(world.events).containsExactly("hot a");

    world.passSeconds(0.1);
    world.detector.maintain();
    world.detector.maintain();

    assertThat(world.events).containsExactly("hot a", "cool a");
    assertThat(world.detector.hot()).isEmpty();
  }

  @Test
  void maintain_afterOneHeavyTouch_keepsItHotForAWindow() {
    world.detector.touch("a", 100);

    world.passSeconds(9.9);
    world.detector.maintain();

    assertThat(world.events).containsExactly("hot a");
  }

  @Test
  void touch_anotherKeyInALaterPane_coolsAnIdleKey() {
    world.touch("a", 100);

    world.passSeconds(13);
    world.touch("b", 1);

    assertThat(world.events).containsExactly("hot a", "cool a");
  }

  @Test
  void touch_keyTurnsHotAgain_isReportedAgain() {
    world.touch("a", 100);
    world.passSeconds(20);
    world.detector.maintain();

    Verdict verdict = world.touch("a", 100);

    assertThat(verdict.sinceNanos()).isEqualTo(world.ticker.nanos());
    assertThat(world.events).containsExactly("hot a", "cool a", "hot a");
  }

  @Test
  void reconfigure_anotherWindow_keepsAHotKeyHotForAWindow() {
    world.touch("a", 100);

    world.detector.reconfigure(Duration.ofSeconds(20), 10);
    world.passSeconds(6);
    world.touch("a", 60);
    world.detector.maintain();

    assertThat(world.events).containsExactly("hot a");
    world.passSeconds(21);
    world.touch("a", 1);
    assertThat(world.events).containsExactly("hot a", "cool a");
  }

  @Test
  void reconfigure_anotherWindow_keepsEstimatesAboveTheCount() {
    world.touch("a", 100);
    world.detector.reconfigure(Duration.ofSeconds(20), 10);

    Verdict verdict = world.touch("a", 150);

    assertThat(verdict.kind()).isEqualTo(Kind.HOT);
    assertThat(verdict.estimate()).isBetween(150L, 150L * 17 / 16);
  }

  @Test
  void reconfigure_shorterWindow_ignoresEarlierTouches() {
    world.touch("a", 60);

    world.detector.reconfigure(Duration.ofSeconds(1), 10);

    assertThat(world.touch("a", 9)).isSameAs(Verdict.COOL);
    assertThat(world.touch("a", 1).kind()).isEqualTo(Kind.HOT);
  }

  @Test
  void reconfigure_anotherThreshold_appliesFromTheNextTouch() {
    world.touch("a", 50);

    world.detector.reconfigure(Duration.ofSeconds(10), 5);

    assertThat(world.touch("a", 1).kind()).isEqualTo(Kind.HOT);
    world.detector.reconfigure(Duration.ofSeconds(10), 50);
    world.detector.maintain();
    assertThat(world.touch("a", 1)).isSameAs(Verdict.COOL);
    assertThat(world.events).containsExactly("hot a", "cool a");
  }

  @Test
  void touch_listenerThrows_returnsAVerdictAndCountsTheFault() {
    HotKeyDetector detector =
        DetectorFixture.settings()
            .onHot(
                key -> {
                  throw new IllegalStateException("broken");
                })
            .build();

    assertThat(detector.touch("a", 100).kind()).isEqualTo(Kind.HOT);
    assertThat(detector.touch("a", 100).kind()).isEqualTo(Kind.HOT);
    assertThat(detector.stats().listenerFaults()).isEqualTo(1);
  }

  @Test
  void touch_early_isEarlyAfterASecond() {
    var early = new DetectorFixture(DetectorFixture.settings().early(true));
    early.passSeconds(0.9);
    assertThat(early.touch("a", 12)).isSameAs(Verdict.COOL);
    early.passSeconds(0.1);

    Verdict verdict = early.touch("a", 1);

    assertThat(verdict.kind()).isEqualTo(Kind.EARLY);
    assertThat(verdict.isHot()).isTrue();
    assertThat(early.touch("b", 9)).isSameAs(Verdict.COOL);
    assertThat(early.events).containsExactly("hot a");
    assertThat(early.touch("a", 90).kind()).isEqualTo(Kind.HOT);
    assertThat(early.events).containsExactly("hot a");
  }

  @Test
  void touch_earlyInPanesShorterThanASecond_isEarly() {
    var early = new DetectorFixture(DetectorFixture.settings().panes(64).early(true));
    Verdict verdict = Verdict.COOL;

    for (int i = 0; i < 20 && !verdict.isHot(); i++) {
      early.passSeconds(0.1);
      verdict = early.touch("a", 2);
    }

    assertThat(verdict.kind()).isEqualTo(Kind.EARLY);
    assertThat(verdict.estimate()).isLessThan(30);
  }

  @Test
  void touch_earlyBelowTheExitInPanesOfASecond_cools() {
    Duration window = Duration.ofSeconds(4);
    var early = new DetectorFixture(DetectorFixture.settings().window(window).early(true));
    early.touch("a", 100);

    for (int i = 0; i < 20; i++) {
      early.passSeconds(0.5);
      early.touch("a", 1);
    }

    assertThat(early.events).containsExactly("hot a", "cool a");
  }

  @Test
  void touch_earlyAtTheBeginningOfEveryPane_cools() {
    var early = new DetectorFixture(DetectorFixture.settings().early(true));
    early.touch("a", 100);

    for (int i = 0; i < 20; i++) {
      early.passSeconds(2.5);
      early.touch("a", 1);
    }

    assertThat(early.events).containsExactly("hot a", "cool a");
  }

  @Test
  void touch_earlyAndTableFullOfCoolKeys_isTrackedAndReported() {
    var early = new DetectorFixture(DetectorFixture.settings().threshold(100).early(true));
    for (int i = 0; i < 64; i++) {
      early.touch("k" + i, 200);
    }
    early.passSeconds(2.5 + 1.1);

    Verdict verdict = early.touch("new", 150);

    assertThat(verdict.kind()).isEqualTo(Kind.EARLY);
    assertThat(verdict.tracked()).isTrue();
    assertThat(early.events).containsExactly("hot new");
  }

  @Test
  void touch_earlyAndTableFullOfHotKeys_isEarlyAndUntracked() {
    var early = new DetectorFixture(DetectorFixture.settings().early(true));
    for (int i = 0; i < 64; i++) {
      early.touch("k" + i, 100);
    }
    early.passSeconds(1);

    Verdict verdict = early.touch("new", 15);

    assertThat(verdict.kind()).isEqualTo(Kind.EARLY);
    assertThat(verdict.tracked()).isFalse();
  }

  @Test
  void touch_concurrentThreads_reportsEachChangeOnceAndInOrder() throws Exception {
    for (int round = 0; round < 200; round++) {
      int stripes = 1 << round % 3;
      var shared = new DetectorFixture(DetectorFixture.settings().stripes(stripes));
      var reported = new AtomicInteger();
      run(
          4,
          () -> {
            for (int i = 0; i < 25; i++) {
              if (shared.detector.touch("a") != Verdict.COOL) {
                reported.incrementAndGet();
              }
            }
          });
      assertThat(reported.get()).isPositive();
      assertThat(shared.events).containsExactly("hot a");

      shared.passSeconds(30);
      run(4, shared.detector::maintain);

      assertThat(shared.events).containsExactly("hot a", "cool a");
    }
  }

  private static void run(int threads, Runnable work) throws InterruptedException {
    var go = new CountDownLatch(1);
    var started = new ArrayList<Thread>();
    for (int i = 0; i < threads; i++) {
      var thread =
          new Thread(
              () -> {
                try {
                  go.await();
                  work.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
      started.add(thread);
    }
    go.countDown();
    for (Thread thread : started) {
      thread.join(TimeUnit.MINUTES.toMillis(1));
      assertThat(thread.isAlive()).isFalse();
    }
  }
}
