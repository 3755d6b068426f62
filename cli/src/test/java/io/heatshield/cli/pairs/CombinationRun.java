package io.heatshield.cli.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A test run of one combination: random commands during concurrent reads, mode changes, a kill with
 * commands in flight and an orderly stop, and after each a check of all data and counts.
 */
final class CombinationRun implements AutoCloseable {
  private static final int CALLS = 30;
  private static final int SHOWN_LINES = 20;

  private final Combination combination;
  private final Certificate certificate;
  private final Backing backing;
  private final ConfigFile file;
  private final Traffic traffic;
  private long admitted;
  private int starts;
  private @Nullable ServerProcess running;

  CombinationRun(Combination combination, Path folder, Certificate certificate, long seed)
      throws IOException {
    this.combination = combination;
    this.certificate = certificate;
    this.traffic = new Traffic(combination, seed);
    this.backing = Backing.of(combination);
    this.file = new ConfigFile(folder, backing, certificate);
  }

  /** Runs it all. */
  void run() throws IOException {
    file.save(combination);
    traffic.mayThrottle(throttles(combination));
    ServerProcess first = start();
    underReads(first, 80, this::changeModes);
    try (RespClient client = first.connect()) {
      check(first, client);
      try (RespClient other = first.connectAdmin()) {
        traffic.watch(client, other);
      }
      traffic.run(client, 40);
      traffic.checkKeys(client);
    }
    List<Step> unanswered = traffic.killWithCommandsInFlight(first);
    first.checkLog();

    ServerProcess second = restart(unanswered);
    underReads(second, 40, (server, client) -> {});
    try (RespClient client = second.connect()) {
      check(second, client);
    }
    stopUnderReads(second);

    ServerProcess third = restart(List.of());
    underReads(third, 40, (server, client) -> {});
    third.stop();
  }

  @Override
  public void close() {
    if (running != null) {
      running.kill();
    }
    backing.close();
  }

  /** Returns the last lines of the server's output, for the message of a failure. */
  String lastLines() {
    List<String> lines = running == null ? List.of() : running.lines();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }

  private ServerProcess start() throws IOException {
    ServerProcess server =
        ServerProcess.start(combination, file.path(), "server-" + ++starts, certificate);
    running = server;
    traffic.onStart();
    return server;
  }

  /** Starts again, without the state if it is lost, and checks the remaining data. */
  private ServerProcess restart(List<Step> unanswered) throws IOException {
    if (combination.has(Factor.STATE, "lost")) {
      for (Path path : file.state()) {
        delete(path);
      }
    }
    if (backing.sharedUrl().isEmpty()) {
      admitted = 0;
    }
    ServerProcess server = start();
    try (RespClient client = server.connect()) {
      if (combination.keepsData()) {
        traffic.settle(client, unanswered);
      } else {
        traffic.onLoss();
      }
      traffic.checkKeys(client);
    }
    return server;
  }

  /** An action in the middle of a stream of commands. */
  private interface Middle {
    void run(ServerProcess server, RespClient client) throws IOException;
  }

  /** Runs commands while a second client reads. */
  private void underReads(ServerProcess server, int pipelines, Middle middle) throws IOException {
    try (RespClient client = server.connect()) {
      CounterReader reader = traffic.reader(server);
      try (reader) {
        traffic.run(client, pipelines);
        middle.run(server, client);
        traffic.awaitReads(reader, client);
      }
      traffic.add(reader);
    }
  }

  /** Stops a server while a second client reads. */
  private void stopUnderReads(ServerProcess server) throws IOException {
    try (CounterReader reader = traffic.reader(server)) {
      reader.expectLoss();
      server.stop();
    }
  }

  /**
   * Checks that a throttle acts, then changes every mode and changes it back, while commands run.
   */
  private void changeModes(ServerProcess server, RespClient client) throws IOException {
    if (throttles(combination)) {
      Wait.until(
          "a write is refused",
          () -> {
            traffic.burst(client);
            return traffic.throttled() > 0;
          });
    }
    reload(server, client, combination, combination.withNextModes());
    traffic.run(client, 80);
    reload(server, client, combination.withNextModes(), combination);
    traffic.run(client, 40);
  }

  private void reload(
      ServerProcess server, RespClient client, Combination before, Combination after)
      throws IOException {
    int reloads = server.reloads();
    traffic.mayThrottle(throttles(before) || throttles(after));
    file.save(after);
    Wait.until(
        "the saved file is in effect",
        () -> {
          traffic.run(client);
          return server.reloads() > reloads;
        });
    traffic.mayThrottle(throttles(after));
  }

  private void check(ServerProcess server, RespClient client) throws IOException {
    HeatCheck.check(server, combination, traffic.sureTouches(), traffic.mostTouches());
    traffic.checkKeys(client);
    long expected = Math.min(CALLS, ConfigFile.LIMIT - admitted);
    assertThat(server.admitted(CALLS)).as("calls within the limit").isEqualTo(expected);
    admitted += expected;
    server.checkHealth();
  }

  private static boolean throttles(Combination combination) {
    return combination.has(Factor.WRITE_LIMIT, "enforce");
  }

  private static void delete(Path path) throws IOException {
    if (Files.exists(path)) {
      try (Stream<Path> all = Files.walk(path)) {
        for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(one);
        }
      }
    }
  }
}
