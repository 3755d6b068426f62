package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts of the real command with configurations for billions of keys. */
@Timeout(120)
class MemoryRefusalIT {
  private static final String BILLIONS =
      """
      stores:
        - name: user-data
          max_memory: 100GB
          cuckoo_filter: { expected_items: 8000000000 }
        - name: sessions
          max_memory: 50GB
          cuckoo_filter: { expected_items: 4000000000 }
        - { name: cache, max_memory: 20GB }
      """;

  private static final Duration POLL = Duration.ofMillis(10);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void serve_forMoreThanTheMachineHas_printsATableAndAllocatesNothing() throws Exception {
    String yaml = server() + BILLIONS;

    try (var refused = start(yaml, "-Xmx256m")) {
      long peak = peakKibibytes(refused.process());

      String text = refused.await();
      assertThat(refused.process().exitValue()).isEqualTo(ExitCode.CANNOT_RUN);
      assertThat(text)
          .startsWith("heatshield: the configuration needs more memory than there is;")
          .containsPattern(
              "store user-data: data +83.8 GiB +heap +stores\\[user-data\\].max_memory")
          .containsPattern(
              "needed on the heap +1\\d\\d GiB +there are 2\\d\\d MiB, 90 % of 256 MiB")
          .contains("HEATSHIELD_JAVA_OPTS=-Xmx", "lower settings, for example stores[user-data]")
          .doesNotContain("OutOfMemory", "\tat ");
      assertThat(peak).isLessThan(200 << 10);
      assertThat(folder.resolve("state")).doesNotExist();
    }
  }

  @Test
  void serve_aThousandthOfTheSizes_starts() throws Exception {
    String yaml = server() + BILLIONS.replace("GB", "MB").replace("000000000", "000000");

    try (var running = start(yaml, "-Xmx512m")) {
      running.awaitListening();

      assertThat(running.output()).containsPattern("memory +at most \\d+ MiB of ");
    }
  }

  private String server() {
    return "server: { http: '127.0.0.1:0', grpc: '127.0.0.1:0', resp: '127.0.0.1:0',"
        + " state_dir: '"
        + folder.resolve("state")
        + "' }\n";
  }

  private HeatshieldProcess start(String yaml, String heap) throws IOException {
    return HeatshieldProcess.serve(folder, "huge", yaml).options(heap).in(folder, "huge");
  }

  /** Returns the most physical memory that a process had until it ended. */
  private static long peakKibibytes(Process process) {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    long peak = 0;
    while (process.isAlive()) {
      peak = Math.max(peak, peakKibibytes(status));
      LockSupport.parkNanos(POLL.toNanos());
    }
    return peak;
  }

  private static long peakKibibytes(Path status) {
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException ended) {
      return 0;
    }
  }
}
