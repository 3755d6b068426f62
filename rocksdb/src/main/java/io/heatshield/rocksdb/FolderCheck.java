package io.heatshield.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds damage in a folder that RocksDB would not notice, or would answer by deleting files.
 *
 * <p>RocksDB itself finds table files that are missing or have another size, and logs in the
 * manifest that are missing or too short.
 */
final class FolderCheck {
  private static final String DATA_FILE = "CURRENT|MANIFEST-[0-9]+|[0-9]+\\.(sst|log)";

  private final Path folder;

  FolderCheck(Path folder) {
    this.folder = folder;
  }

  /** Returns whether the folder has no data, so that a database may be created in it. */
  boolean isEmpty() throws IOException {
    return files(DATA_FILE).isEmpty();
  }

  /** Returns whether another process has the folder open; this process must not. */
  boolean isInUse() throws IOException {
    Path lock = folder.resolve("LOCK");
    if (!Files.exists(lock)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = channel.tryLock()) {
      return held == null;
    }
  }

  /** Returns the new database of a salvage whose last step was interrupted. */
  Optional<Path> unfinishedSalvage() throws IOException {
    return files(Salvage.UNFINISHED + ".*").stream().findFirst();
  }

  /** Returns a sentence about the first damage that is found, with the name of the file. */
  Optional<String> damage() throws IOException {
    if (isEmpty()) {
      return Optional.empty();
    }
    Path named = folder.resolve("CURRENT");
    Optional<Path> manifest = ManifestCopy.current(folder);
    if (manifest.isEmpty()) {
      boolean there = Files.isRegularFile(named);
      return Optional.of(named + (there ? " is damaged: it names no manifest" : " is missing"));
    }
    Optional<String> found = manifest(manifest.get());
    return found.isPresent() ? found : logs();
  }

  /** Returns the write-ahead logs, the oldest first. */
  List<Path> logFiles() throws IOException {
    List<Path> logs = files("[0-9]+\\.log");
    logs.sort(Comparator.comparingLong(FolderCheck::number));
    return logs;
  }

  private Optional<String> manifest(Path manifest) throws IOException {
    if (!Files.isRegularFile(manifest)) {
      return Optional.of(manifest + " is missing");
    }
    if (!ManifestCopy.agrees(manifest)) {
      return Optional.of(manifest + " is damaged: it differs from its copy");
    }
    LogFile.State state = LogFile.check(manifest);
    return state.isDamaged()
        ? Optional.of(manifest + " is damaged at byte " + state.damagedAt())
        : Optional.empty();
  }

  private Optional<String> logs() throws IOException {
    List<Path> logs = logFiles();
    if (logs.isEmpty()) {
      return Optional.of("the write-ahead log of " + folder + " is missing");
    }
    Optional<Path> recorded = NewestLog.recorded(folder);
    if (recorded.isPresent() && number(recorded.get()) > number(logs.get(logs.size() - 1))) {
      return Optional.of(recorded.get() + " is missing");
    }
    boolean followed = false;
    for (int i = logs.size() - 1; i >= 0; i--) {
      LogFile.State state = LogFile.check(logs.get(i));
      if (state.isDamaged()) {
        return Optional.of(logs.get(i) + " is damaged at byte " + state.damagedAt());
      }
      if (state.torn() && followed) {
        return Optional.of(logs.get(i) + " is damaged: its end is missing");
      }
      followed |= state.intactRecords() > 0;
    }
    return Optional.empty();
  }

  /** Returns the file whose name is the content of another file, if the name is well-formed. */
  static Optional<Path> namedBy(Path file, String pattern) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    String name = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    return name.matches(pattern)
        ? Optional.of(file.resolveSibling(name.strip()))
        : Optional.empty();
  }

  private List<Path> files(String pattern) throws IOException {
    var found = new ArrayList<Path>();
    try (var all = Files.newDirectoryStream(folder)) {
      for (Path file : all) {
        if (file.getFileName().toString().matches(pattern)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  static long number(Path log) {
    String name = log.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('.')));
  }
}
