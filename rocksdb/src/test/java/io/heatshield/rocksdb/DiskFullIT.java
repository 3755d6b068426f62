package io.heatshield.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.heatshield.contract.TextStore;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.engine.StoreException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full disk, in a process with its own small file system. */
class DiskFullIT {

  /** A generous timeout: a write may only be refused, never wait for room. */
  private static final long MINUTES = 2;

  @Test
  void put_onAFullDisk_isRefusedUntilThereIsRoomAndNothingIsLost(
      @TempDir Path folder, @TempDir Path beside) throws Exception {
    Path file = beside.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                "unshare",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=24m tmpfs \"$1\" || exit 77\n"
                    + "exec \"$2\" -cp \"$3\" \"$4\" \"$1\"",
                "sh",
                folder.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"),
                Filler.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(file.toFile())
            .start();
    boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
    process.destroyForcibly();
    int code = process.waitFor();

    String output = Files.readString(file);
    assertThat(ended).as("ended by itself: %s", output).isTrue();
    assumeThat(code).as("a file system of its own: %s", output).isNotIn(1, 77, 127);
    assertThat(output)
        .contains("refused: DISK", "delete refused: DISK", "not writable", "writes again")
        .contains("all there");
    assertThat(code).isZero();
  }

  /** Writes until the disk is full, and reads all that was acknowledged. */
  static final class Filler {
    private Filler() {}

    public static void main(String[] arguments) throws IOException {
      var out =
          new PrintStream(
              new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
      Path disk = Path.of(arguments[0]);
      Path ballast = Files.write(disk.resolve("ballast"), new byte[12 << 20]);
      RocksOptions options = RocksOptions.in(disk.resolve("data")).writeBuffer(1 << 20);
      try (GuardedStore store =
          GuardedStore.over(RocksEngine.open(options))
              .options(StoreOptions.of("full").unguarded())
              .withoutUpkeep()
              .build()) {
        var random = new SplittableRandom(1);
        int written = 0;
        boolean full = false;
        while (!full) {
          var value = new byte[10_000];
          random.nextBytes(value);
          try {
            TextStore.now(store.put(key(written), value));
            written++;
          } catch (StoreException e) {
            full = true;
            out.println("refused: " + e.reason() + " after " + written);
          }
        }
        try {
          TextStore.now(store.delete(key(0)));
        } catch (StoreException e) {
          out.println("delete refused: " + e.reason());
        }
        maintain(store);
        out.println(store.faults().isWritable() ? "writable" : "not writable");
        Files.delete(ballast);
        while (!store.faults().isWritable()) {
          maintain(store);
        }
        TextStore.now(store.put(key(written), new byte[10_000]));
        written++;
        out.println("writes again");
        for (int i = 0; i < written; i++) {
          if (!TextStore.now(store.exists(key(i)))) {
            throw new IllegalStateException("lost " + i);
          }
        }
        out.println("all there");
      }
    }

    private static void maintain(GuardedStore store) {
      try {
        store.maintain();
      } catch (StoreException e) {
        // The upkeep of a store with a full disk fails until there is room.
      }
    }

    private static byte[] key(int i) {
      return ("key " + i).getBytes(StandardCharsets.US_ASCII);
    }
  }
}
