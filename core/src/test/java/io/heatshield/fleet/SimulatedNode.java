package io.heatshield.fleet;

import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotKeyDetectorBuilder;
import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** A node with a detector, a fake ticker and exact counts. */
final class SimulatedNode {
  static final Duration INTERVAL = Duration.ofSeconds(1);
  static final Duration WINDOW = Duration.ofSeconds(8);
  static final int PANES = 4;
  static final int HOT_AT = 800;
  static final HashSecret SECRET = HashSecret.of(new byte[32]);

  private record Touch(int key, long nanos) {}

  final String name;
  final HotKeyDetector detector;
  final FleetNode fleet;
  final List<byte[]> otherSecrets = new ArrayList<>();
  private final FakeTicker ticker;
  private final Truth window;
  private final Truth span;
  private int[] published = {};
  private int[] publishedSpan = {};
  private final int keys;

  SimulatedNode(
      String name,
      int keys,
      FakeTicker ticker,
      FleetExchange exchange,
      Consumer<FleetView> onMerge) {
    this(name, keys, ticker, exchange, onMerge, SECRET, settings().toSettings());
  }

  SimulatedNode(
      String name,
      int keys,
      FakeTicker ticker,
      FleetExchange exchange,
      Consumer<FleetView> onMerge,
      HashSecret secret,
      DetectorSettings settings) {
    this.name = name;
    this.keys = keys;
    this.ticker = ticker;
    this.window = new Truth(WINDOW);
    this.span = new Truth(WINDOW.plus(WINDOW.dividedBy(PANES)));
    this.detector =
        HotKeyDetector.builder().settings(settings).secret(secret).ticker(ticker::nanos).build();
    var listener =
        new FleetListener() {
          @Override
          public void viewed(FleetView view) {
            if (view.merger().equals(name)) {
              onMerge.accept(view);
            }
          }

          @Override
          public void otherSecret(byte[] other) {
            otherSecrets.add(other);
          }
        };
    this.fleet =
        new FleetNode(name, secret, INTERVAL, ticker::nanos, exchange, this::snapshot, listener);
  }

  static HotKeyDetectorBuilder settings() {
    return HotKeyDetector.builder()
        .window(WINDOW)
        .panes(PANES)
        .threshold(HOT_AT / WINDOW.toSeconds())
        .stripes(1);
  }

  static String key(int key) {
    return "key:" + key;
  }

  void touch(int key) {
    detector.touch(key(key));
    window.add(key);
    span.add(key);
  }

  /** Returns the exact touches of a key in the last window. */
  int truth(int key) {
    return window.now()[key];
  }

  /** Returns the exact touches of a key in the window that was published last. */
  int published(int key) {
    return published.length == 0 ? 0 : published[key];
  }

  /** Returns the same with one more pane, which an estimate may include. */
  int publishedSpan(int key) {
    return publishedSpan.length == 0 ? 0 : publishedSpan[key];
  }

  private NodeSnapshot snapshot(long sequence) {
    published = window.now().clone();
    publishedSpan = span.now().clone();
    return new NodeSnapshot(
        name,
        sequence,
        INTERVAL.toMillis(),
        "",
        0,
        List.of(new Saved("hot_reads", 1, 2, 3, 4)),
        List.of(ScopeHeat.of("main", detector)));
  }

  /** The exact counts of touches within a sliding period. */
  private final class Truth {
    private final long spanNanos;
    private final Deque<Touch> touches = new ArrayDeque<>();
    private final int[] counts = new int[keys];

    Truth(Duration span) {
      this.spanNanos = span.toNanos();
    }

    void add(int key) {
      touches.add(new Touch(key, ticker.nanos()));
      counts[key]++;
    }

    int[] now() {
      Touch first = touches.peek();
      while (first != null && ticker.nanos() - first.nanos() >= spanNanos) {
        counts[first.key()]--;
        touches.remove();
        first = touches.peek();
      }
      return counts;
    }
  }
}
