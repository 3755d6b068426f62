package io.heatshield.rocksdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * Records the name of the newest write-ahead log in a file, {@code NEWEST-LOG}.
 *
 * <p>RocksDB notices when an older log is missing, but not when the newest one is: it then opens
 * the data without the last writes. Numbers of logs only grow, so the newest log of a folder is at
 * least the one that was recorded.
 */
final class NewestLog {
  private static final String NAME = "NEWEST-LOG";

  private NewestLog() {}

  /** Records the newest log of a folder, if there is one and it is not recorded yet. */
  static synchronized void record(Path folder) throws IOException {
    List<Path> logs = new FolderCheck(folder).logFiles();
    if (logs.isEmpty()) {
      return;
    }
    Path newest = logs.get(logs.size() - 1);
    if (!recorded(folder).equals(Optional.of(newest))) {
      Path fresh = folder.resolve(NAME + ".new");
      Files.writeString(fresh, newest.getFileName() + "\n", StandardCharsets.US_ASCII);
      Files.move(
          fresh,
          folder.resolve(NAME),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Returns the recorded log, if the record is intact. */
  static Optional<Path> recorded(Path folder) throws IOException {
    return FolderCheck.namedBy(folder.resolve(NAME), "[0-9]{1,18}\\.log\n");
  }
}
