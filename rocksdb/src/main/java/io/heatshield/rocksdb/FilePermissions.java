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
 * Restricts a folder and its files to their owner: modes 0700 and 0600.
 *
 * <p>RocksDB creates files with the umask of the process and has no option for their mode. The mode
 * of the folder is sufficient; the files are restricted as well in case they are copied or moved.
 */
final class FilePermissions {
  private static final Logger log = LoggerFactory.getLogger(FilePermissions.class);
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private FilePermissions() {}

  /** Creates a folder that only its owner may enter, or restricts an existing one. */
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
            "{} was accessible to others ({}): it is rwx------ now",
            folder,
            PosixFilePermissions.toString(before));
      }
    }
  }

  /** Restricts the files of a folder; files that are deleted meanwhile are skipped. */
  static void restrictFiles(Path folder) throws IOException {
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
