package io.heatshield.rocksdb;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a folder and its files from other users of the machine: 0700 and 0600.
 *
 * <p>RocksDB makes files as the process's umask says and has no option for their mode. The folder's
 * mode alone keeps others out; the files are changed as well, for those who copy or move them.
 */
final class FileModes {
  private static final Logger log = LoggerFactory.getLogger(FileModes.class);
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private FileModes() {}

  /** Makes a folder that only its owner may enter; one that is there is closed to others. */
  static void makeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Path parent = folder.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      if (POSIX) {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER));
      } else {
        Files.createDirectory(folder);
      }
    } else if (POSIX) {
      Set<PosixFilePermission> before = Files.getPosixFilePermissions(folder);
      if (!before.equals(FOLDER)) {
        Files.setPosixFilePermissions(folder, FOLDER);
        log.info(
            "{} was open to others ({}): it is rwx------ now",
            folder,
            PosixFilePermissions.toString(before));
      }
    }
  }

  /** Closes the files of a folder to others; files that vanish meanwhile are skipped. */
  static void closeFiles(Path folder) throws IOException {
    if (!POSIX) {
      return;
    }
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        try {
          if (Files.isRegularFile(file) && !Files.getPosixFilePermissions(file).equals(FILE)) {
            Files.setPosixFilePermissions(file, FILE);
          }
        } catch (NoSuchFileException e) {
          // RocksDB deletes files in the background.
        }
      }
    }
  }
}
