package io.heatshield.bench.fleet;

import io.heatshield.bench.Ratios;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.WindowCounts;
import io.heatshield.fleet.FleetMerger;
import io.heatshield.fleet.FleetView;
import io.heatshield.fleet.NodeSnapshot;
import io.heatshield.fleet.ScopeHeat;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.sketch.CountMinSketch;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.time.FakeTicker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Measures the unit costs of the guide's fleet plan, and writes them to a file.
 *
 * <p>One scope with the default sketch, whose window has the touches of 60 s at a rate. Times are
 * CPU times of one thread, the minimum of several rounds.
 */
public final class FleetCostBenchmark {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final KeyHash HASH = KeyHash.fast(SECRET);
  private static final long PRINT = HASH.fingerprint();
  private static final int KEYS = 1_000_000;
  private static final int WINDOW_SECONDS = 60;
  private static final int DRAWS = 1 << 20;
  private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();
  private static final long WARM_UP_NANOS = 2_000_000_000L;

  private final FakeTicker ticker = new FakeTicker();
  private final StringBuilder report = new StringBuilder();
  private final int nodes;
  private final int rounds;
  private long sink;

  private FleetCostBenchmark(int nodes, int rounds) {
    this.nodes = nodes;
    this.rounds = rounds;
  }

  /** Takes the file to write, the command that ran this, the nodes to merge and the rounds. */
  public static void main(String[] args) throws IOException {
    var benchmark = new FleetCostBenchmark(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    benchmark.run(args[1]);
    Files.writeString(Path.of(args[0]), benchmark.report);
  }

  private void run(String command) throws IOException {
    report.append("# Unit costs of a fleet, ").append(LocalDate.now(ZoneOffset.UTC)).append("\n\n");
    report.append("Machine: ").append(Ratios.machine()).append("  \n");
    report.append("Command: `").append(command).append("`  \n");
    report.append(
        "One scope, 4 x 1,024 counters, 64 keys by name, a window of 60 s, Zipf(1.0) over a"
            + " million keys.\n\n| cost | value | unit |\n|---|---|---|\n");
    for (int rate : new int[] {1_000, 10_000, 100_000, 1_000_000}) {
      line("snapshot at " + rate + " touches/s", snapshot(0, busy(rate, 1)).length, "bytes");
    }
    HotKeyDetector detector = busy(100_000, 1);
    line("publish", micros(() -> snapshot(1, detector).length), "us per scope");
    merging();
    touching();
    report.append("\nchecksum ").append(Long.toHexString(sink)).append('\n');
  }

  private void merging() {
    List<HotKeyDetector> detectors = new ArrayList<>();
    for (int seed = 0; seed < Math.min(8, nodes); seed++) {
      detectors.add(busy(100_000, seed));
    }
    List<byte[]> published = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      published.add(snapshot(node, detectors.get(node % detectors.size())));
    }
    byte[] one = published.get(0);
    line(
        "unpack",
        micros(() -> NodeSnapshot.unpack(one, PRINT).sequence()),
        "us per node and scope");
    long before = used();
    var merger = new FleetMerger("node-0", PRINT, Duration.ofSeconds(1), ticker::nanos);
    for (int node = 0; node < nodes; node++) {
      merger.accept("node-" + node, 1, published.get(node));
    }
    line("memory", (double) (used() - before) / nodes, "bytes per node and scope");
    double merge = micros(() -> merger.merge().sequence());
    line("merge", merge / nodes, "us per node and scope");
    WindowCounts counts = detectors.get(0).counts(ScopeHeat.MAX_CELLS);
    long[] sums = new long[counts.size()];
    double add =
        micros(
            () -> {
              for (int i = 0; i < 100; i++) {
                counts.addTo(sums);
              }
              return sums[0];
            });
    line("add", add * 1000 / 100 / counts.size(), "ns per counter");
    FleetView view = merger.merge();
    byte[] packed = view.pack(PRINT);
    line("view of " + nodes + " nodes", packed.length, "bytes");
    var small = new FleetMerger("node-0", PRINT, Duration.ofSeconds(1), ticker::nanos);
    small.accept("node-0", 1, published.get(0));
    int alone = small.merge().pack(PRINT).length;
    line("view per scope", alone, "bytes");
    line("view per node", (packed.length - alone) / (double) Math.max(1, nodes - 1), "bytes");
    line("read view", micros(() -> FleetView.unpack(packed, PRINT).sequence()), "us");
  }

  /** Compares a touch with one that also feeds a second sketch under another secret. */
  private void touching() {
    byte[][] keys = keys(3);
    HotKeyDetector detector = detector();
    CountMinSketch second = CountMinSketch.builder().stripes(2).build();
    double plain =
        micros(
            () -> {
              for (byte[] key : keys) {
                detector.touch(key);
              }
              return detector.floor();
            });
    double both =
        micros(
            () -> {
              for (byte[] key : keys) {
                detector.touch(key);
                second.touch(key);
              }
              return second.total();
            });
    line("touch", plain * 1000 / keys.length, "ns");
    line("touch that feeds a second sketch", both * 1000 / keys.length, "ns");
  }

  private HotKeyDetector busy(int rate, long seed) {
    HotKeyDetector detector = detector();
    byte[][] keys = keys(seed);
    long touches = (long) rate * WINDOW_SECONDS;
    // A million draws represent all touches: each is counted several times.
    long weight = Math.max(1, touches / keys.length);
    for (long i = 0; i * weight < touches; i++) {
      detector.touch(keys[(int) (i % keys.length)], weight);
    }
    return detector;
  }

  private HotKeyDetector detector() {
    return HotKeyDetector.builder().stripes(2).secret(SECRET).ticker(ticker::nanos).build();
  }

  private static byte[][] keys(long seed) {
    var zipf = new Zipf(KEYS, 1.0, seed);
    byte[][] keys = new byte[DRAWS][];
    for (int i = 0; i < DRAWS; i++) {
      keys[i] = zipf.nextKey();
    }
    return keys;
  }

  private static byte[] snapshot(long node, HotKeyDetector detector) {
    return new NodeSnapshot(
            "node-" + node, 1, 1000, "", 0, List.of(), List.of(ScopeHeat.of("main", detector)))
        .pack(PRINT);
  }

  /** Returns the minimum CPU time of a call, after two seconds of warm-up. */
  private double micros(LongSupplier call) {
    long begin = System.nanoTime();
    long least = Long.MAX_VALUE;
    int measured = 0;
    while (measured < rounds) {
      boolean warm = System.nanoTime() - begin > WARM_UP_NANOS;
      long start = THREAD.getCurrentThreadCpuTime();
      sink += call.getAsLong();
      if (warm) {
        least = Math.min(least, THREAD.getCurrentThreadCpuTime() - start);
        measured++;
      }
    }
    return least / 1000.0;
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private void line(String name, double value, String unit) {
    report.append(String.format(Locale.ROOT, "| %s | %.1f | %s |\n", name, value, unit));
  }
}
