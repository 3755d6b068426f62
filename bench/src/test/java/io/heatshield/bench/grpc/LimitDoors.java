package io.heatshield.bench.grpc;

import io.heatshield.action.Mode;
import io.heatshield.bench.ServerProcess;
import io.heatshield.limit.coalesce.CoalesceSettings;
import io.heatshield.limit.memory.MemoryCounters;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Opens one door in this process, or starts a process that does. */
public final class LimitDoors {
  /** How often a server halves the counts of its coalescer. */
  static final Duration DECAY = CoalesceSettings.DEFAULT.decayInterval();

  private static final int COUNTERS = 1_000_000;

  private LimitDoors() {}

  /** Starts our door over counters in memory. */
  static ServerProcess memory() throws IOException {
    return ServerProcess.start(LimitDoors.class, "memory");
  }

  /** Starts the empty service. */
  static ServerProcess empty() throws IOException {
    return ServerProcess.start(LimitDoors.class, "empty");
  }

  /**
   * Starts our door over counters in Redis; asked {@code up} it answers once Redis does, {@code
   * degraded} how many counts were answered without it, {@code mode MODE} when the coalescer has
   * that mode, {@code count redis} or {@code count memory} when it counts there, and if it times
   * counts {@code phase NAME} and {@code cells NAME} as {@link TimedCounters} does.
   */
  static ServerProcess redis(
      URI redis, Mode coalescer, CoalesceSettings settings, Duration budget, boolean times)
      throws IOException {
    return ServerProcess.start(
        LimitDoors.class,
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
   * Opens a door and serves until the input ends; called as {@code KIND [URI WINDOW DECAY BUDGET
   * TIMES]}.
   */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "empty" -> {
        try (var door = new EmptyDoor()) {
          ServerProcess.serve(door.address().getPort(), UnaryOperator.identity());
        }
      }
      case "memory" -> {
        try (var door = new LimitDoor(new MemoryCounters(COUNTERS, System::currentTimeMillis))) {
          ServerProcess.serve(door.address().getPort(), UnaryOperator.identity());
        }
      }
      default -> {
        try (var door =
            new RedisDoor(
                URI.create(args[1]),
                Mode.valueOf(args[0]),
                settings(Duration.parse(args[2]), Duration.parse(args[3])),
                Duration.parse(args[4]),
                Boolean.parseBoolean(args[5]))) {
          ServerProcess.serve(door.address().getPort(), line -> answer(door, line));
        }
      }
    }
  }

  private static String answer(RedisDoor door, String line) {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case "up" -> door.awaitUp();
      case "count" -> door.countIn("redis".equals(words[1]));
      case "mode" -> door.mode(Mode.valueOf(words[1]));
      case "phase" -> door.timed().phase(words[1]);
      case "cells" -> {
        return door.timed().cells(words[1]);
      }
      default -> {
        return Long.toString(door.degraded());
      }
    }
    return line;
  }
}
