package io.heatshield.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/** Checks whether table files can be opened: their footer, index and properties, not their data. */
final class SstFiles {
  private SstFiles() {}

  static boolean isReadable(Path table) {
    if (!Files.isRegularFile(table)) {
      return false;
    }
    try (var plain = new Options();
        var reader = new SstFileReader(plain)) {
      reader.open(table.toString());
      return true;
    } catch (RocksDBException e) {
      return false;
    }
  }

  /** Returns a table file in a folder that cannot be opened, if any. */
  static Optional<Path> firstUnreadable(Path folder) {
    try (var tables = Files.newDirectoryStream(folder, "*.sst")) {
      for (Path table : tables) {
        if (!isReadable(table)) {
          return Optional.of(table);
        }
      }
    } catch (IOException e) {
      // The caller reports what RocksDB said.
    }
    return Optional.empty();
  }
}
