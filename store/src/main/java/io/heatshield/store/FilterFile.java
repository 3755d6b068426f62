package io.heatshield.store;

import io.heatshield.filter.CuckooFilter;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.snapshot.InvalidSnapshotException;
import io.heatshield.snapshot.SealedBytes;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The file that stores a filter while its store is closed: {@code "HSABSENT"}, version 1 in 4
 * bytes, 4 zeros, the engine's sequence number in 8 bytes, a checksum, and the serialized filter.
 * Numbers are little-endian.
 *
 * <p>It is valid only for an engine with exactly that sequence number.
 */
final class FilterFile {
  private static final long MAGIC = 0x544e455342415348L; // "HSABSENT"
  private static final int VERSION = 1;

  private final Path path;

  FilterFile(Path path) {
    this.path = path;
  }

  /**
   * Loads the filter.
   *
   * @throws IOException if there is no intact filter for this sequence number
   */
  void load(long sequence, AbsentKeys keys) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
      var head = new SealedBytes();
      head.more(in, 2 * Long.BYTES + Long.BYTES);
      long magic = head.take(Long.BYTES);
      long version = head.take(Long.BYTES);
      long kept = head.take(Long.BYTES);
      head.checkSeal(in);
      InvalidSnapshotException.require(magic == MAGIC, "not a filter of a store");
      InvalidSnapshotException.require(version == VERSION, "another version");
      InvalidSnapshotException.require(
          kept == sequence, "the engine was written to since the filter was kept");
      keys.load(in);
    }
  }

  /** Stores a filter; an existing file stays until the new one is complete. */
  void save(long sequence, CuckooFilter filter) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (var file = new FileOutputStream(fresh.toFile())) {
      OutputStream out = new BufferedOutputStream(file, 1 << 16);
      var head = new SealedBytes();
      head.put(MAGIC, Long.BYTES);
      head.put(VERSION, Long.BYTES);
      head.put(sequence, Long.BYTES);
      head.seal(out);
      filter.writeTo(out);
      out.flush();
      file.getFD().sync();
    }
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Deletes the file. */
  void delete() throws IOException {
    Files.deleteIfExists(path);
  }
}
