package io.heatshield.bench.grpc;

import io.heatshield.action.Mode;
import io.heatshield.bench.ServerProcess;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.memory.MemoryCounters;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Opens a port in this process, or starts a process that does. */
public final class LimitPorts {
  /** The interval at which a server halves the counts of its coalescer. */
  static final Duration DECAY = CoalesceSettings.DEFAULT.decayInterval();

  private static final int COUNTERS = 1_000_000;

  private LimitPorts() {}

  /** Starts our port over counters in memory. */
  static ServerProcess memory() throws IOException {
    return ServerProcess.start(LimitPorts.class, "memory");
  }

  /** Starts the empty service. */
  static ServerProcess empty() throws IOException {
    return ServerProcess.start(LimitPorts.class, "empty");
  }

  /**
   * Starts our port over counters in Redis; asked {@code up} it answers once Redis does, {@code
   * degraded} how many counts were answered without it, {@code mode MODE} when the coalescer has
   * that mode, {@code count redis} or {@code count memory} when it counts there, and if it times
   * counts {@code phase NAME} and {@code cells NAME} as {@link TimedCounters} does.
   */
  static ServerProcess redis(
      URI redis, Mode coalescer, CoalesceSettings settings, Duration budget, boolean times)
      throws IOException {
    return ServerProcess.start(
        LimitPorts.class,
        coalescer.name(),
        redis.toString(),
        settings.flushWindow().toString(),
        settings.decayInterval().toString(),
        budget.toString(),
        Boolean.toString(times));
  }

  /** Returns the settings of a server but for these. */
  static CoalesceSettings settings(Duration flushWindow, Duration decayInterval) {
    CoalesceSettings defaults = CoalesceSettings.DEFAULT;
    return new CoalesceSettings(
        defaults.sketchBytes(),
        defaults.depth(),
        defaults.threshold(),
        defaults.maxKeys(),
        flushWindow,
        defaults.maxBatch(),
        decayInterval);
  }

  /**
   * Opens a port and serves until the input ends; called as {@code KIND [URI WINDOW DECAY BUDGET
   * TIMES]}.
   */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "empty" -> {
        try (var port = new EmptyPort()) {
          ServerProcess.serve(port.address().getPort(), UnaryOperator.identity());
        }
      }
      case "memory" -> {
        try (var port = new LimitPort(new MemoryCounters(COUNTERS, System::currentTimeMillis))) {
          ServerProcess.serve(port.address().getPort(), UnaryOperator.identity());
        }
      }
      default -> {
        try (var port =
            new RedisLimitPort(
                URI.create(args[1]),
                Mode.valueOf(args[0]),
                settings(Duration.parse(args[2]), Duration.parse(args[3])),
                Duration.parse(args[4]),
                Boolean.parseBoolean(args[5]))) {
          ServerProcess.serve(port.address().getPort(), line -> answer(port, line));
        }
      }
    }
  }

  private static String answer(RedisLimitPort port, String line) {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case "up" -> port.awaitUp();
      case "count" -> port.countIn("redis".equals(words[1]));
      case "mode" -> port.mode(Mode.valueOf(words[1]));
      case "phase" -> port.timed().phase(words[1]);
      case "cells" -> {
        return port.timed().cells(words[1]);
      }
      default -> {
        return Long.toString(port.degraded());
      }
    }
    return line;
  }
}
