package io.heatshield.bench;

import io.heatshield.detect.HashedHotKeyDetector;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.HotKeyDetectorBuilder;
import io.heatshield.detect.Verdict;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.CoarseTicker;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One touch of a detector on the Zipf stream; its rivals are in {@link CountMinSketchBenchmark}.
 *
 * <p>A window of 4 s rotates a pane each second, so rotations are part of the figures. At the
 * higher threshold a few keys of the stream are hot and the sketch is large enough; at the lower
 * one all estimates are above it and the sketch is overloaded.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotKeyDetectorBenchmark {
  private static final int REFRESH_EVERY = 1024;
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  /** Touches per second at which a key is hot. */
  @Param({"400000", "100"})
  long threshold;

  final ZipfKeys keys = new ZipfKeys();
  final long[] hashes = new long[ZipfKeys.TOUCHES];
  private final KeyHash hash = KeyHash.fast(SECRET);
  private final CoarseTicker ticker = new CoarseTicker(Ticker.system());
  private HotKeyDetector detector = HotKeyDetector.builder().build();
  private HashedHotKeyDetector hashed = detector.hashed(detector.keyHash());

  /** Creates the shared detector, with the default number of stripes. */
  @Setup
  public void make() {
    for (int i = 0; i < ZipfKeys.TOUCHES; i++) {
      hashes[i] = hash.hash(keys.bytes[i]);
    }
    detector = detector(HotKeyDetector.builder()).build();
    hashed = detector.hashed(hash);
  }

  /** A detector of one thread. */
  @State(Scope.Thread)
  public static class Private {
    private HotKeyDetector detector = HotKeyDetector.builder().build();

    /** Creates the detector. */
    @Setup
    public void make(HotKeyDetectorBenchmark shared) {
      detector = shared.detector(HotKeyDetector.builder().stripes(1)).build();
    }
  }

  @Benchmark
  public Verdict touchBytes(Cursor cursor) {
    int at = at(cursor);
    return detector.touch(keys.bytes[at]);
  }

  @Benchmark
  public Verdict touchText(Cursor cursor) {
    int at = at(cursor);
    return detector.touch(keys.texts[at]);
  }

  @Benchmark
  public Verdict touchNumber(Cursor cursor) {
    int at = at(cursor);
    return detector.touch(hashes[at] & 0xff_ffff);
  }

  @Benchmark
  public Verdict touchHash(Cursor cursor) {
    int at = at(cursor);
    return hashed.touch(hashes[at], keys.bytes[at], 1);
  }

  @Benchmark
  public Verdict touchOneKey(Cursor cursor) {
    at(cursor);
    return hashed.touch(hashes[0], keys.bytes[0], 1);
  }

  @Benchmark
  public Verdict privateBytes(Cursor cursor, Private own) {
    int at = at(cursor);
    return own.detector.touch(keys.bytes[at]);
  }

  /** Returns the next position in the stream, and sometimes updates the time. */
  private int at(Cursor cursor) {
    int at = cursor.next();
    if ((at & (REFRESH_EVERY - 1)) == 0) {
      ticker.refresh();
    }
    return at;
  }

  private HotKeyDetectorBuilder detector(HotKeyDetectorBuilder builder) {
    return builder.window(Duration.ofSeconds(4)).threshold(threshold).secret(SECRET).ticker(ticker);
  }
}
