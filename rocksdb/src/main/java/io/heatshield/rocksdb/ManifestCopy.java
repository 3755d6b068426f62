package io.heatshield.rocksdb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a copy of the manifest, {@code MANIFEST-n.copy}.
 *
 * <p>The manifest says which table files hold the data. RocksDB deletes table files that it does
 * not name, so one that is cut short or damaged can cost all of them. The copy shows that, and is
 * what a salvage reads instead. A manifest only grows: the copy is a prefix of it, which is brought
 * up to date after each flush and compaction and at the stop.
 */
final class ManifestCopy {
  static final String SUFFIX = ".copy";

  private static final Logger log = LoggerFactory.getLogger(ManifestCopy.class);
  private static final String CURRENT = "CURRENT";

  private final Path folder;
  private boolean failing;

  ManifestCopy(Path folder) {
    this.folder = folder;
  }

  /** Returns the manifest that {@code CURRENT} names, if it names one. */
  static Optional<Path> current(Path folder) throws IOException {
    Path file = folder.resolve(CURRENT);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    String name = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    return name.matches("MANIFEST-[0-9]+\n")
        ? Optional.of(folder.resolve(name.strip()))
        : Optional.empty();
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

  /** Brings the copy up to date; a failure is logged once, for the data is safe without it. */
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
        log.warn("the manifest of {} can not be copied: {}", folder, e.toString());
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

  /** Returns a manifest's records as far as copy and manifest hold them. */
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
