package io.heatshield.cli.process;

import io.heatshield.key.KeyText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks the input files of a command; an unreadable file ends the command with exit code 3. */
public final class InputFile {
  private InputFile() {}

  /**
   * Returns the file if it can be read.
   *
   * @throws CannotRunException if it does not exist, is a folder, or is not readable
   */
  public static Path readable(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw failure(file, "is a folder, not a file");
      }
      if (Files.isRegularFile(file)) {
        try (InputStream in = Files.newInputStream(file)) {
          in.read();
        }
      } else {
        // Opening a pipe could block, so only its existence is checked.
        Files.readAttributes(file, "size");
      }
      return file;
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /** Returns the exception for a file that cannot be read. */
  public static CannotRunException failure(Path file, IOException e) {
    return failure(file, FailureReason.of(e));
  }

  /** Returns the exception for a file that cannot be used; the reason must be printable. */
  public static CannotRunException failure(Path file, String reason) {
    return new CannotRunException(KeyText.of(file.toString()) + ": " + reason);
  }
}
