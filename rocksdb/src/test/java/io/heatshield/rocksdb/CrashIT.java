package io.heatshield.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.contract.TextStore;
import io.heatshield.hash.HashSecret;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.Value;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed loses nothing that it acknowledged. */
class CrashIT {
  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @Test
  void kill_duringWrites_losesNothingAcknowledged() throws Exception {
    for (int round = 1; round <= 3; round++) {
      long acknowledged = writeUntil("write", 2000L * round);

      try (GuardedStore store = Writer.open(folder)) {
        for (long i = 0; i <= acknowledged; i++) {
          Value value = TextStore.now(store.get(Writer.key(i)));
          assertThat(value).as("key %d of %d", i, acknowledged).isNotNull();
        }
      }
    }
  }

  @Test
  void kill_duringARebuild_isFollowedByAnotherRebuild() throws Exception {
    long acknowledged = writeUntil("write", 20_000);

    writeUntil("rebuild", 1);

    try (GuardedStore store = Writer.open(folder)) {
      store.maintain();
      assertThat(store.filter().orElseThrow().complete()).isTrue();
      for (long i = 0; i <= acknowledged; i++) {
        assertThat(TextStore.now(store.get(Writer.key(i)))).isNotNull();
      }
      assertThat(store.stats().disagreements()).isZero();
    }
  }

  /** Runs the writer until it prints this number, kills it, and returns the last number. */
  private long writeUntil(String task, long enough) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Writer.class.getName(),
                    task,
                    folder.toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long last = -1;
    try (var out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.matches("[0-9]+")) {
          last = Long.parseLong(line);
        }
        if (last >= enough && process.isAlive()) {
          process.toHandle().destroyForcibly();
        }
      }
    }
    process.waitFor();
    assertThat(last).isGreaterThanOrEqualTo(enough);
    return last;
  }

  /** The process that is killed; it prints a number once that write is acknowledged. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws IOException {
      var out =
          new PrintStream(
              new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
      GuardedStore store = open(Path.of(arguments[1]));
      if (arguments[0].equals("rebuild")) {
        var upkeep = new Thread(store::maintain);
        upkeep.start();
        while (upkeep.isAlive()) {
          if (store.filter().orElseThrow().rebuilding()) {
            out.println(1);
          }
        }
        out.println(1);
      }
      for (long i = 0; ; i++) {
        TextStore.now(store.put(key(i), key(i)));
        out.println(i);
      }
    }

    static byte[] key(long i) {
      return ("key " + i).getBytes(StandardCharsets.US_ASCII);
    }

    static GuardedStore open(Path folder) {
      return GuardedStore.over(
              RocksEngine.open(RocksOptions.in(folder.resolve("data")).writeBuffer(1 << 20)))
          .options(
              StoreOptions.of("crash")
                  .with(
                      StoreOptions.Filter.of(Mode.ENFORCE, 100_000)
                          .keptIn(folder.resolve("filter"))))
          .secret(HashSecret.of(new byte[16]))
          .withoutUpkeep()
          .build();
    }
  }
}
