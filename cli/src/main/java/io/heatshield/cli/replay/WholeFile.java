package io.heatshield.cli.replay;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that is written whole or not at all. */
public final class WholeFile {
  private WholeFile() {}

  /** Writes a text beside the file and puts it in its place when all of it is on disk. */
  public static void write(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Path folder = parent == null ? Path.of(".") : parent;
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder.toString());
    }
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a folder, not a file");
    }
    Path beside = Files.createTempFile(folder, ".heatshield", null);
    try {
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
