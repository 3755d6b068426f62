package io.heatshield.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The upkeep of a detector, and the reports that its listeners get. */
class UpkeepTest {
  private final ManualScheduler scheduler = new ManualScheduler();

  @Test
  void maintainOn_keyWithoutTouches_coolsUntilTheDetectorIsClosed() {
    var world = new DetectorFixture(DetectorFixture.settings().maintainOn(scheduler));
    world.touch("a", 100);
    world.passSeconds(10);

    scheduler.run();

    assertThat(world.events).containsExactly("hot a", "cool a");
    assertThat(scheduler.intervals).containsExactly(Duration.ofSeconds(1));
    world.detector.close();
    world.detector.close();
    assertThat(scheduler.tasks).isEmpty();
    assertThat(world.touch("a", 100).isHot()).isTrue();
  }

  @Test
  void maintainOn_panesShorterThanASecond_runsOncePerPane() {
    DetectorFixture.settings()
        .window(Duration.ofSeconds(1))
        .panes(10)
        .maintainOn(scheduler)
        .build();

    assertThat(scheduler.intervals).containsExactly(Duration.ofMillis(100));
  }

  @Test
  void read_paneIsOver_callsNoListener() {
    var world = new DetectorFixture();
    world.touch("a", 100);
    world.passSeconds(11);

    world.detector.hot();
    world.detector.top(5);
    world.detector.stats();
    world.detector.estimate("a");
    world.detector.explain("a");
    world.detector.audit();
    world.detector.counts(1 << 16);
    world.detector.hotPrefixes();

    assertThat(world.events).containsExactly("hot a");
    world.touch("b", 1);
    assertThat(world.events).containsExactly("hot a", "cool a");
  }

  @Test
  void read_paneIsOver_countsTouchesThatFollow() {
    var world = new DetectorFixture();
    world.touch("a", 60);
    world.passSeconds(9);
    assertThat(world.detector.estimate("a").touches()).isEqualTo(60);

    assertThat(world.touch("a", 39)).isSameAs(Verdict.COOL);

    assertThat(world.touch("a", 1).isHot()).isTrue();
    assertThat(world.detector.estimate("a").touches()).isEqualTo(100);
  }

  @Test
  void listeners_hotAndCooled_getTheTimes() {
    var world = new DetectorFixture();
    world.passSeconds(3);
    world.touch("a", 100);
    world.passSeconds(4);
    world.touch("a", 1);
    KeyReport between = world.detector.explain("a").orElseThrow();
    world.passSeconds(10);
    world.detector.maintain();

    List<KeyReport> reports = world.reports;
    assertThat(reports.get(0).hotFor()).isZero();
    assertThat(reports.get(0).trackedFor()).isZero();
    assertThat(reports.get(0).kind()).isEqualTo(Verdict.Kind.HOT);
    assertThat(between.hotFor()).isEqualTo(Duration.ofSeconds(4));
    assertThat(between.idleFor()).isZero();
    KeyReport cooled = reports.get(1);
    assertThat(cooled.kind()).isEqualTo(Verdict.Kind.COOL);
    assertThat(cooled.hotFor()).isEqualTo(Duration.ofSeconds(14));
    assertThat(cooled.trackedFor()).isEqualTo(Duration.ofSeconds(14));
    assertThat(cooled.idleFor()).isEqualTo(Duration.ofSeconds(10));
    assertThat(world.detector.explain("a").orElseThrow().hotFor()).isZero();
  }

  @Test
  void listeners_throwing_areCountedAndTheKeyStillCools() {
    HotKeyDetector detector =
        DetectorFixture.settings()
            .onHot(UpkeepTest::fail)
            .onCool(UpkeepTest::fail)
            .ticker(new DetectorFixture().ticker::nanos)
            .build();

    Verdict verdict = detector.touch("a", 100);
    detector.reconfigure(Duration.ofSeconds(10), 1_000);
    detector.maintain();

    assertThat(verdict.isHot()).isTrue();
    assertThat(detector.stats().hot()).isZero();
    assertThat(detector.stats().listenerFaults()).isEqualTo(2);
  }

  @Test
  void onHot_escapesControlCharactersOfKeys() {
    var world = new DetectorFixture();

    world.touch("a\nb", 100);

    assertThat(world.reports.get(0).key()).hasToString("a\\x0ab");
  }

  private static void fail(KeyReport key) {
    throw new IllegalStateException("broken");
  }

  /** A scheduler whose tasks run when the test calls it. */
  private static final class ManualScheduler implements Scheduler {
    private final List<Duration> intervals = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public Task every(Duration interval, Runnable task) {
      intervals.add(interval);
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    void run() {
      tasks.forEach(Runnable::run);
    }
  }
}
