package io.heatshield.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePermissionsTest {
  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @Test
  void open_ofANewFolder_restrictsItToItsOwner() throws IOException {
    Path data = folder.resolve("data");

    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(data))) {
      write(engine);
      engine.compact();
      assertThat(mode(data)).isEqualTo("rwx------");
    }

    assertClosed(data);
  }

  @Test
  void open_ofAFolderAccessibleToOthers_restrictsIt() throws IOException {
    Path data = folder.resolve("data");
    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(data))) {
      write(engine);
    }
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var files = Files.list(data)) {
      for (Path file : files.toList()) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
      }
    }

    try (RocksEngine engine = RocksEngine.open(RocksOptions.in(data))) {
      assertThat(engine.estimatedSize()).isPositive();
      assertClosed(data);
    }
  }

  private static void write(RocksEngine engine) {
    var change = Batch.Change.of(new byte[] {1}, Value.of(new byte[100]));
    engine.apply(new Batch(List.of(change), List.of())).toCompletableFuture().join();
  }

  private static void assertClosed(Path data) throws IOException {
    assertThat(mode(data)).isEqualTo("rwx------");
    try (var files = Files.list(data)) {
      for (Path file : files.toList()) {
        assertThat(mode(file)).as("%s", file).isEqualTo("rw-------");
      }
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
