package io.heatshield.cli.demo;

import io.heatshield.action.Action;
import io.heatshield.cli.demo.load.DemoKeys;
import io.heatshield.cli.demo.load.LimitLoad;
import io.heatshield.cli.demo.load.Load;
import io.heatshield.cli.demo.load.LoadMeter;
import io.heatshield.cli.demo.load.Pacer;
import io.heatshield.cli.demo.load.RedisLoad;
import io.heatshield.cli.demo.store.StoreUnderTest;
import io.heatshield.server.HeatshieldServer;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Runs scenes. Other users send requests all the time; each scene adds an attack, first without and
 * then with protection.
 *
 * <p>The clients and the store measure all numbers, except the saved calls, which the server
 * counts. For one thread.
 */
public final class SceneRunner implements AutoCloseable {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int OTHERS_CLIENTS = 16;
  private static final int READERS = 8;
  private static final long SEED = 20_261_118;

  /** Waits, and returns whether the demo should end. */
  public interface Pause {
    boolean endsWithin(Duration time) throws InterruptedException;
  }

  /** Thrown if the demo ends in the middle of a scene. */
  private static final class EndedException extends Exception {
    private static final long serialVersionUID = 1;
  }

  private final HeatshieldServer server;
  private final StoreUnderTest store;
  private final DemoKeys keys;
  private final DemoRates rates;
  private final Protection protection;
  private final SceneListener listener;
  private final Pause pause;
  private final LoadMeter others;
  private final Pacer othersPacer;

  SceneRunner(
      HeatshieldServer server,
      DemoStage stage,
      Protection protection,
      SceneListener listener,
      Pause pause)
      throws IOException {
    this.server = server;
    this.store = stage.store();
    this.keys = stage.keys();
    this.rates = stage.rates();
    this.others = stage.others();
    this.protection = protection;
    this.listener = listener;
    this.pause = pause;
    this.othersPacer =
        Pacer.start(
            "demo-users",
            RedisLoad.connect(
                server.resp().port(), "web", OTHERS_CLIENTS, others, keys.ofUsers(SEED)),
            rates.others());
  }

  /** Runs a scene; returns false if the demo ended during the scene. */
  boolean run(Scene scene, int number, int total, Duration length)
      throws IOException, InterruptedException {
    store.setAttackedKeys(attackedKeys(scene));
    listener.onStart(scene, number, total);
    try {
      listener.onEnd(play(scene, length));
      return true;
    } catch (EndedException e) {
      return false;
    } finally {
      protection.mode(scene, "observe");
    }
  }

  @Override
  public void close() {
    othersPacer.close();
  }

  private SceneResult play(Scene scene, Duration length)
      throws IOException, InterruptedException, EndedException {
    var attack = new LoadMeter();
    var gauge = new Gauge(others, attack, store);
    Measure calm = phase(SceneListener.Phase.CALM, gauge, length.dividedBy(6));
    Measure before;
    Measure after;
    long saved;
    Pacer pacer = Pacer.start("demo-attack", load(scene, attack), rate(scene));
    try {
      before = phase(SceneListener.Phase.UNPROTECTED, gauge, length.dividedBy(3));
      long savedBefore = saved(scene);
      protection.mode(scene, "enforce");
      after = phase(SceneListener.Phase.PROTECTED, gauge, length.dividedBy(3));
      saved = saved(scene) - savedBefore;
    } finally {
      pacer.close();
    }
    Measure unusedRecovery = phase(SceneListener.Phase.RECOVERY, gauge, length.dividedBy(6));
    return new SceneResult(scene, calm, before, after, saved);
  }

  /** Runs a phase and returns the measurements of its second half. */
  private Measure phase(SceneListener.Phase phase, Gauge gauge, Duration length)
      throws InterruptedException, EndedException {
    long start = System.nanoTime();
    Gauge.Moment half = gauge.now();
    Gauge.Moment last = half;
    boolean isHalf = false;
    long left = length.toNanos();
    while (left > 0) {
      long toHalf = isHalf ? left : Math.max(1, left - length.toNanos() / 2);
      Duration step = Duration.ofNanos(Math.min(toHalf, SECOND.toNanos()));
      if (pause.endsWithin(step)) {
        throw new EndedException();
      }
      Gauge.Moment now = gauge.now();
      listener.onSecond(phase, last.until(now));
      last = now;
      left = length.toNanos() - (System.nanoTime() - start);
      if (!isHalf && left <= length.toNanos() / 2) {
        isHalf = true;
        half = now;
      }
    }
    return half.until(gauge.now());
  }

  private Load load(Scene scene, LoadMeter attack) throws IOException {
    int port = server.resp().port();
    return switch (scene) {
      case HOT_KEY -> RedisLoad.connect(port, "reader", READERS, attack, keys.ofReaders());
      case SCANNER -> RedisLoad.connect(port, "scanner", READERS, attack, keys.ofScanner(SEED));
      case RUNAWAY_WRITER -> RedisLoad.connect(port, "job", READERS, attack, keys.ofWriter());
      case RATE_LIMIT ->
          new LimitLoad(
              server.grpc().orElseThrow().port(),
              DemoConfiguration.DOMAIN,
              DemoConfiguration.DESCRIPTOR,
              DemoConfiguration.ENDPOINT,
              attack);
    };
  }

  private Predicate<String> attackedKeys(Scene scene) {
    return switch (scene) {
      case HOT_KEY -> keys.viral()::equals;
      case SCANNER -> key -> key.startsWith(keys.scanned());
      case RUNAWAY_WRITER -> keys.written()::equals;
      case RATE_LIMIT -> key -> key.contains(DemoConfiguration.ENDPOINT);
    };
  }

  private int rate(Scene scene) {
    return scene == Scene.RATE_LIMIT ? rates.limitCalls() : rates.attack();
  }

  private long saved(Scene scene) {
    return server.savings().snapshot().stream()
        .filter(
            action -> action.name().equals(scene.action()) && action.scope().equals(scene.scope()))
        .mapToLong(Action.Snapshot::saved)
        .sum();
  }
}
