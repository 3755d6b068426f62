package io.heatshield.rocksdb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains a copy of the manifest, {@code MANIFEST-n.copy}.
 *
 * <p>The manifest lists the table files that hold the data. RocksDB deletes table files that it
 * does not list, so a truncated or damaged manifest can cost all of them. The copy reveals that,
 * and a salvage reads it instead. A manifest only grows: the copy is a prefix of it, which is
 * updated after each flush and compaction and when the database is closed.
 */
final class ManifestCopy {
  static final String SUFFIX = ".copy";

  private static final Logger log = LoggerFactory.getLogger(ManifestCopy.class);

  private final Path folder;
  private boolean failing;

  ManifestCopy(Path folder) {
    this.folder = folder;
  }

  /** Returns the manifest that {@code CURRENT} names, if it names one. */
  static Optional<Path> current(Path folder) throws IOException {
    return FolderCheck.namedBy(folder.resolve("CURRENT"), "MANIFEST-[0-9]+\n");
  }

  static Path of(Path manifest) {
    return manifest.resolveSibling(manifest.getFileName() + SUFFIX);
  }

  /** Returns whether a manifest has a copy that is not damaged itself. */
  static boolean isUsable(Path manifest) throws IOException {
    Path copy = of(manifest);
    return Files.isRegularFile(copy) && !LogFile.check(copy).isDamaged();
  }

  /** Returns whether a manifest begins with what its copy holds, or has no usable copy. */
  static boolean agrees(Path manifest) throws IOException {
    if (!isUsable(manifest)) {
      return true;
    }
    long size = Files.size(of(manifest));
    long same = Files.mismatch(manifest, of(manifest));
    return same < 0 || same >= size;
  }

  /** Updates the copy; a failure is logged once, because the data is safe without the copy. */
  synchronized void update() {
    try {
      Optional<Path> manifest = current(folder);
      if (manifest.isPresent()) {
        append(manifest.get());
      }
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        failing = true;
        log.warn("the manifest of {} cannot be copied: {}", folder, e.toString());
      }
    }
  }

  private void append(Path manifest) throws IOException {
    Path copy = of(manifest);
    boolean isNew = !Files.exists(copy);
    long have = isNew ? 0 : Files.size(copy);
    try (InputStream in = Files.newInputStream(manifest);
        FileChannel out =
            FileChannel.open(
                copy,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND)) {
      in.skipNBytes(have);
      in.transferTo(Channels.newOutputStream(out));
      out.force(false);
    }
    if (isNew) {
      deleteOthers(copy);
    }
  }

  private void deleteOthers(Path copy) throws IOException {
    try (var copies = Files.newDirectoryStream(folder, "MANIFEST-*" + SUFFIX)) {
      for (Path old : copies) {
        if (!old.equals(copy)) {
          Files.deleteIfExists(old);
        }
      }
    }
  }

  /** Returns the content of the copy, followed by the rest of the manifest if that is longer. */
  static byte[] restored(Path manifest) throws IOException {
    byte[] copied = Files.readAllBytes(of(manifest));
    byte[] damaged = Files.isRegularFile(manifest) ? Files.readAllBytes(manifest) : new byte[0];
    if (damaged.length <= copied.length) {
      return copied;
    }
    byte[] both = Arrays.copyOf(copied, damaged.length);
    System.arraycopy(damaged, copied.length, both, copied.length, damaged.length - copied.length);
    return both;
  }
}
