package io.heatshield.cli.replay;

import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.FailureReason;
import io.heatshield.cli.process.InputFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files atomically: the target has the old content or all of the new. */
public final class AtomicFile {
  private AtomicFile() {}

  /**
   * Writes a temporary file in the same folder and renames it.
   *
   * @throws CannotRunException if the file cannot be written
   */
  public static void write(Path file, String text) {
    try {
      writeOrThrow(file, text);
    } catch (IOException e) {
      throw InputFile.failure(file, "cannot be written: " + FailureReason.of(e));
    }
  }

  private static void writeOrThrow(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Path folder = parent == null ? Path.of(".") : parent;
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder.toString());
    }
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a folder, not a file");
    }
    Path temporary = Files.createTempFile(folder, ".heatshield", null);
    try {
      Files.writeString(temporary, text);
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
