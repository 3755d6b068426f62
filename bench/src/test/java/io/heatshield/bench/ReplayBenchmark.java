package io.heatshield.bench;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.replay.Progress;
import io.heatshield.replay.Replay;
import io.heatshield.replay.trace.Trace;
import io.heatshield.replay.trace.TraceOptions;
import io.heatshield.time.Ticker;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Lines per second of a replay over a file of plain keys: read only, and with detector and exact
 * counts. A program: {@code mvn -P replay verify -pl bench -am -DskipTests}, with {@code
 * -Dreplay.lines} for another length, or a trace of one's own as the second argument.
 */
final class ReplayBenchmark {
  private static final int ROUNDS = 5;
  private static final int KEYS = 1_000_000;
  private static final double RATE = 10_000;

  private ReplayBenchmark() {}

  /** Takes the number of lines, and optionally a trace to read instead of a generated one. */
  public static void main(String[] args) throws IOException {
    long lines = args.length == 0 ? 10_000_000L : Long.parseLong(args[0]);
    if (args.length > 1) {
      measure(Path.of(args[1]));
      return;
    }
    Path file = Files.createTempFile("heatshield-replay-", ".keys");
    try {
      write(file, lines);
      measure(file);
    } finally {
      Files.delete(file);
    }
  }

  private static void measure(Path file) throws IOException {
    for (int round = 1; round <= ROUNDS; round++) {
      long start = System.nanoTime();
      long read = read(file);
      double readSeconds = (System.nanoTime() - start) / 1e9;
      start = System.nanoTime();
      replay(file);
      double replaySeconds = (System.nanoTime() - start) / 1e9;
      System.out.println(
          String.format(
              Locale.ROOT,
              "round %d: %,d lines, read %,.0f lines/s, replay %,.0f lines/s",
              round,
              read,
              read / readSeconds,
              read / replaySeconds));
    }
  }

  private static long read(Path file) throws IOException {
    long lines = 0;
    try (Trace trace = Trace.open(file, TraceOptions.defaults().withRate(RATE))) {
      while (trace.next()) {
        lines++;
      }
    }
    return lines;
  }

  private static void replay(Path file) throws IOException {
    try (Trace trace = Trace.open(file, TraceOptions.defaults().withRate(RATE))) {
      Replay.run(
          trace,
          HotKeyDetector.builder().stripes(1).toSettings(),
          KEYS,
          10,
          HashSecret.of(new byte[32]),
          Ticker.system(),
          Progress.NONE);
    }
  }

  /** Writes a stream in which one key has a tenth of all touches. */
  private static void write(Path file, long lines) throws IOException {
    var random = new SplittableRandom(1);
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      for (long i = 0; i < lines; i++) {
        out.write(random.nextInt(10) == 0 ? "key:hot" : "key:" + random.nextInt(KEYS));
        out.write('\n');
      }
    }
  }
}
